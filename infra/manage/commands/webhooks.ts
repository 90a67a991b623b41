import type { Command } from 'commander';
import { webhookEventTypes, webhookFormats } from '#shared/organizations/webhook-subscriptions';
import { defaultOverlapHours, maxOverlapHours } from '#shared/timing/rotation-overlap';
import { mostOwnAttempts } from '#shared/webhooks/retry-delay';
import { asks, type Given, lists, tells } from '../actions.ts';
import { type AnswerOf, type EntryOf, required } from '../api/answers.ts';
import { inCommands } from '../api/command-words.ts';
import { counted } from '../doctor/finding.ts';
import type { Block } from '../drawing/layout.ts';
import { type Column, drawRecord, foreign, momentOf, paintState } from '../drawing/text-table.ts';
import {
  changesOf,
  examples,
  listOf,
  listOfAny,
  oneOf,
  onOrOff,
  orNone,
  wholeNumber,
} from '../options.ts';
import type { Sessions } from '../session.ts';
import { oneLine, type Paint, type Terminal } from '../terminal.ts';
import { addDeliveries } from './webhook-deliveries.ts';
import { addListen } from './webhook-listen.ts';
import { addVerify } from './webhook-signature.ts';

type Webhook = EntryOf<'GET /api/v1/webhooks'>;
type Shown = AnswerOf<'GET /api/v1/webhooks/{id}'>;

export function addWebhooks(webhooks: Command, sessions: Sessions): void {
  addList(webhooks, sessions);
  addShow(webhooks, sessions);
  addCreate(webhooks, sessions);
  addUpdate(webhooks, sessions);
  addPause(webhooks, sessions, 'pause');
  addPause(webhooks, sessions, 'resume');
  addDelete(webhooks, sessions);
  addRotateSecret(webhooks, sessions);
  addDeliveries(webhooks, sessions);
  addVerify(webhooks, sessions);
  addListen(webhooks, sessions);
}

function addList(webhooks: Command, { asManager }: Sessions): void {
  webhooks
    .command('list')
    .description('Lists endpoints and their health')
    .addHelpText('after', examples('webhooks list'))
    .action(
      lists(asManager, 'GET /api/v1/webhooks', { columns, whenEmpty: 'No webhook endpoints.' }),
    );
}

const stateOf = ({ disabled, health, paused }: Webhook | Shown, paint: Paint): string =>
  paintState(health?.status === 'well' ? 'healthy' : health?.status, paint) +
  (disabled === undefined ? '' : `: ${disabled.reason}`) +
  (paused === true ? `, ${paintState('paused', paint)}` : '');

const eventsOf = ({ eventTypes = [] }: Webhook | Shown): string =>
  eventTypes.length === 0 ? 'all' : eventTypes.join(' ');

const waitingCount = ({ count, isExact }: NonNullable<Webhook['waiting']> = {}) =>
  isExact === false ? `${count}+` : count;

const columns = [
  ['ID', ({ id }) => id, 'below'],
  ['STATE', stateOf],
  ['WAITING', ({ waiting }) => waitingCount(waiting)],
  ['FAILING SINCE', ({ health }) => momentOf(health?.failingSince), 'below'],
  ['EVENTS', eventsOf, 'below'],
  ['ONLY', ({ tags = [], templates = [] }) => foreign([...tags, ...templates].join(' ')), 'below'],
  ['FORMAT', ({ format = '' }) => format, 'below'],
  ['URL', ({ url }) => foreign(url), 'cut'],
] as const satisfies readonly Column<Webhook>[];

function addShow(webhooks: Command, { asManager }: Sessions): void {
  webhooks
    .command('show')
    .argument(...endpointArgument)
    .description('Shows an endpoint and how it does')
    .addHelpText('after', examples('webhooks show whk_…'))
    .action(asks(asManager, 'GET /api/v1/webhooks/{id}', drawWebhook));
}

const endpointArgument = ['<id>', 'the id of an endpoint'] as const;

const drawWebhook = (webhook: Webhook | Shown, paint: Paint): Block =>
  drawRecord(describe(webhook, paint));

function describe(webhook: Webhook | Shown, paint: Paint) {
  const { health = {}, tags = [], templates = [] } = webhook;
  const { exhausted = 0, delivered = 0 } = health;
  return [
    ['ID', webhook.id],
    ['URL', foreign(webhook.url)],
    ['Description', foreign(webhook.description) || undefined],
    ['State', stateOf(webhook, paint)],
    ['Outlook', health.outlook && inCommands(oneLine(health.outlook))],
    ['Paused since', momentOf(webhook.pausedAt)],
    ['Waiting', waitingOf(webhook)],
    ['Failing since', momentOf(health.failingSince)],
    ['Recently', exhausted === 0 ? undefined : `${exhausted} given up, ${delivered} delivered`],
    ['Slow until', momentOf(webhook.slowUntil)],
    ['Events', eventsOf(webhook)],
    ['Only tags', foreign(tags.join(' ')) || undefined],
    ['Only templates', templates.join(' ') || undefined],
    ['Format', webhook.format],
    ['Attempts', webhook.maxAttempts],
    ['Earlier secrets sign until', momentOf(webhook.previousSecretsExpireAt)],
    ['Since', momentOf(webhook.createdAt)],
  ] as const;
}

/** Those of a list or of one that was just changed don't say what waits. */
function waitingOf(webhook: Webhook | Shown): string | undefined {
  const waiting = 'waiting' in webhook ? webhook.waiting : undefined;
  if (waiting?.count === undefined) return undefined;
  const { count, isExact = true, since, nextAttemptAt, exhaustedFrom } = waiting;
  if (count === 0) return 'nothing';
  const facts = [
    `${isExact ? '' : 'at least '}${counted(count, 'message')}`,
    since !== undefined && `since ${momentOf(since)}`,
    nextAttemptAt !== undefined && `next attempt ${momentOf(nextAttemptAt)}`,
    exhaustedFrom !== undefined && `the first is given up at ${momentOf(exhaustedFrom)}`,
  ];
  return facts.filter(Boolean).join(', ');
}

const formatOption = ['--format <form>', 'resend: messages as Resend sends them'] as const;

function addCreate(webhooks: Command, { asManager }: Sessions): void {
  webhooks
    .command('create')
    .argument('<url>', 'where messages are posted, https://')
    .description('Adds an endpoint and shows its secret once')
    .option('--events <types>', eventWords, listOf(webhookEventTypes))
    .option('--tags <tags>', 'only for emails with one of these tags, as name:value', listOfAny)
    .option('--templates <ids>', 'only for emails of one of these templates', listOfAny)
    .option('--description <text>', 'what it is for')
    .option(...formatOption, oneOf(webhookFormats))
    .option('--max-attempts <number>', attemptWords, wholeNumber)
    .addHelpText(
      'after',
      examples(
        'webhooks create https://example.com/hooks --events email.bounced',
        'webhooks create https://example.com/hooks --tags kind:reset --description "Resets"',
      ),
    )
    .action(async (url: string, options: Given, command: Command) => {
      const { api, terminal } = await asManager(command);
      const body = { ...toFields(options), url };
      showOnce(terminal, await api.ask('POST /api/v1/webhooks', { body }));
    });
}

const attemptWords = `attempts of each message, 1 to ${mostOwnAttempts}`;
const eventWords = `only these, comma-separated: ${webhookEventTypes.join(', ')}`;

/** The program's own --url names the service. */
const toFields = ({ events, newUrl, ...others }: Given): Given => ({
  ...others,
  eventTypes: events,
  url: newUrl,
});

function showOnce(terminal: Terminal, answer: AnswerOf<'POST /api/v1/webhooks'>): void {
  const secret = required(answer, 'secret');
  terminal.show(answer, (paint) => drawRecord([['Secret', secret], ...describe(answer, paint)]));
  terminal.say("Save the secret now: it isn't shown again.");
}

function addUpdate(webhooks: Command, { asManager }: Sessions): void {
  webhooks
    .command('update')
    .argument(...endpointArgument)
    .description('Changes the given fields of an endpoint')
    .option('--new-url <url>', 'where messages are posted, https://')
    .option('--events <types>', `${eventWords}; or all`, allOr(listOf(webhookEventTypes)))
    .option('--tags <tags>', 'only for emails with one of these tags, or none', noneOr(listOfAny))
    .option('--templates <ids>', 'only for emails of these templates, or none', noneOr(listOfAny))
    .option('--description <text>', 'what it is for')
    .option(...formatOption, orNone(oneOf(webhookFormats)))
    .option('--max-attempts <number>', `${attemptWords}, or none`, orNone(wholeNumber))
    .option('--enabled <on|off>', 'whether it gets messages', onOrOff)
    .addHelpText(
      'after',
      examples(
        'webhooks update whk_… --enabled on',
        'webhooks update whk_… --events email.bounced,email.complained',
        'webhooks update whk_… --events all --tags none',
        'webhooks update whk_… --max-attempts 8',
      ),
    )
    .action(
      asks(asManager, 'PATCH /api/v1/webhooks/{id}', drawWebhook, {
        values: (options) => changesOf(withoutAbsent(toFields(options))),
      }),
    );
}

const withoutAbsent = (fields: Given): Given =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** An empty list has no filter. */
const wordOr =
  (word: string) =>
  <Value>(read: (text: string) => readonly Value[]) =>
  (text: string): readonly Value[] =>
    text === word ? [] : read(text);
const allOr = wordOr('all');
const noneOr = wordOr('none');

/** Events go on being recorded; what they say waits. */
function addPause(webhooks: Command, { asManager }: Sessions, verb: 'pause' | 'resume'): void {
  const paused = verb === 'pause';
  webhooks
    .command(verb)
    .argument(...endpointArgument)
    .description(
      paused
        ? 'Lets its messages wait while you mend it'
        : 'Resumes; what is due goes out within a minute',
    )
    .addHelpText('after', examples(`webhooks ${verb} whk_…`))
    .action(
      asks(asManager, 'PATCH /api/v1/webhooks/{id}', drawWebhook, { values: () => ({ paused }) }),
    );
}

function addDelete(webhooks: Command, { asManager }: Sessions): void {
  webhooks
    .command('delete')
    .argument(...endpointArgument)
    .description('Deletes an endpoint; deliveries that wait fail')
    .addHelpText('after', examples('webhooks delete whk_…'))
    .action(
      tells(asManager, 'DELETE /api/v1/webhooks/{id}', ({ id }) => `${id} was deleted.`, {
        confirm: ({ id }, { name }) =>
          `Delete the endpoint ${id} on ${name}? What waits for it fails, and its secret is lost.`,
      }),
    );
}

function addRotateSecret(webhooks: Command, { asManager }: Sessions): void {
  const hours = `hours that both sign, 0 to ${maxOverlapHours} (default: ${defaultOverlapHours})`;
  webhooks
    .command('rotate-secret')
    .argument(...endpointArgument)
    .description('Gives an endpoint a new secret and shows it once')
    .option('--overlap-hours <number>', hours, wholeNumber)
    .addHelpText(
      'after',
      examples('webhooks rotate-secret whk_…', 'webhooks rotate-secret whk_… --overlap-hours 0'),
    )
    .action(async (id: string, { overlapHours }: Overlap, command: Command) => {
      const { api, terminal } = await asManager(command);
      if (overlapHours === 0) {
        await terminal.confirm(
          `End the secret of ${id} right away? Its receiver refuses messages.`,
        );
      }
      const request = { path: { id }, body: { overlapHours } };
      showOnce(terminal, await api.ask('POST /api/v1/webhooks/{id}/rotate-secret', request));
    });
}

type Overlap = { readonly overlapHours?: number };
