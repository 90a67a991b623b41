import type { Command } from 'commander';
import { deliveryStatuses, messageTypes } from '#shared/webhook-deliveries/delivery';
import { afterRound, type RetryRounds } from '#shared/webhook-deliveries/retry-rounds';
import { asks, lists } from '../actions.ts';
import { type EntryOf, required } from '../api/answers.ts';
import type { ApiClient } from '../api/client.ts';
import { type Block, type Drawing, verbatim } from '../drawing/layout.ts';
import { withPages } from '../drawing/listing.ts';
import {
  type Column,
  drawRecord,
  drawTable,
  foreign,
  momentOf,
  paintState,
} from '../drawing/text-table.ts';
import { exitCodes, Failure } from '../failure.ts';
import { examples, needed, oneOf } from '../options.ts';
import type { Sessions } from '../session.ts';
import { oneLine, type Paint } from '../terminal.ts';

type Delivery = EntryOf<'GET /api/v1/webhooks/{id}/deliveries'>;
type Attempt = NonNullable<Delivery['attempts']>[number];

export function addDeliveries(webhooks: Command, sessions: Sessions): void {
  addTest(webhooks, sessions);
  addList(webhooks, sessions);
  addShow(webhooks, sessions);
  addRetry(webhooks, sessions);
  addRetryWaiting(webhooks, sessions);
  addRedeliver(webhooks, sessions);
  addRedeliverFailed(webhooks, sessions);
}

const endpointArgument = ['<id>', 'the id of an endpoint'] as const;

function addTest(webhooks: Command, { asManager }: Sessions): void {
  webhooks
    .command('test')
    .argument(...endpointArgument)
    .description('Sends an endpoint a signed test message')
    .addHelpText('after', examples('webhooks test whk_…'))
    .action(asks(asManager, 'POST /api/v1/webhooks/{id}/test', drawDelivery));
}

function addList(webhooks: Command, { asManager }: Sessions): void {
  withPages(webhooks.command('deliveries').argument(...endpointArgument))
    .description('Lists the messages to an endpoint, newest first')
    .option('--status <status>', `only ${deliveryStatuses.join(', ')}`, oneOf(deliveryStatuses))
    .option('--type <type>', 'only of this type, such as email.bounced', oneOf(messageTypes))
    .option('--send <id>', 'only about this send')
    .addHelpText(
      'after',
      examples(
        'webhooks deliveries whk_… --status failed',
        'webhooks deliveries whk_… --send snd_…',
      ),
    )
    .action(
      lists(asManager, 'GET /api/v1/webhooks/{id}/deliveries', {
        columns,
        whenEmpty: 'No deliveries found.',
      }),
    );
}

const columns = [
  ['TIME', ({ createdAt }) => momentOf(createdAt)],
  ['STATUS', ({ status }, paint) => paintState(status, paint)],
  ['TYPE', ({ type }) => foreign(type)],
  ['ATTEMPTS', ({ attempts = [] }) => attempts.length],
  ['LAST ANSWER', ({ attempts }) => foreign(answerOf(attempts?.at(-1)))],
  ['NEXT', ({ nextAttemptAt }) => momentOf(nextAttemptAt), 'below'],
  ['REPEATED AS', ({ redeliveredAs }) => redeliveredAs, 'below'],
  ['ID', ({ id }) => id, 'below'],
] as const satisfies readonly Column<Delivery>[];

const answerOf = ({ statusCode, error }: Attempt = {}): string | undefined =>
  statusCode === undefined ? error : `${statusCode}`;

function addShow(webhooks: Command, { asManager }: Sessions): void {
  webhooks
    .command('delivery')
    .argument('<endpoint>', 'the id of its endpoint')
    .argument('<id>', 'the id of a delivery')
    .description('Shows a message and what the receiver said')
    .addHelpText('after', examples('webhooks delivery whk_… dlv_…'))
    .action(async (endpoint: string, id: string, _options: object, command: Command) => {
      const { api, terminal } = await asManager(command);
      const delivery = await findDelivery(api, endpoint, id);
      terminal.show(delivery, (paint) => drawDelivery(delivery, paint));
    });
}

/** The log is by time, so an old one takes many pages. */
const maxPages = 100;

async function findDelivery(api: ApiClient, endpoint: string, id: string): Promise<Delivery> {
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const query = { limit: '100', cursor };
    const list = await api.list('GET /api/v1/webhooks/{id}/deliveries', query, { id: endpoint });
    const found = required(list, 'data').find((one) => one.id === id);
    if (found !== undefined) return found;
    cursor = required(list, 'nextCursor') ?? undefined;
    if (cursor === undefined) break;
  }
  throw new Failure(
    exitCodes.notFound,
    'delivery_not_found',
    `${endpoint} has no delivery ${id}${cursor === undefined ? '' : ` among its newest ${maxPages * 100}`}.`,
    'Deliveries of an email: webhooks deliveries … --send snd_…',
  );
}

function drawDelivery(delivery: Delivery, paint: Paint): Drawing {
  const { attempts = [], payload = '' } = delivery;
  return [
    describe(delivery, paint),
    ...(attempts.length === 0 ? [] : ['', drawTable(attempts, attemptColumns, paint)]),
    ...(payload === '' ? [] : ['', verbatim(printed(payload))]),
  ];
}

const describe = (delivery: Delivery, paint: Paint): Block =>
  drawRecord([
    ['Delivery', delivery.id],
    ['Message', delivery.messageId],
    ['Type', foreign(delivery.type)],
    ['Status', paintState(delivery.status, paint)],
    ['Reason', foreign(delivery.failureReason)],
    ['Next attempt', momentOf(delivery.nextAttemptAt)],
    ['Repeats', delivery.redeliveryOf],
    ['Repeated as', delivery.redeliveredAs],
    ['Since', momentOf(delivery.createdAt)],
  ]);

const attemptColumns = [
  ['ATTEMPT', ({ at }) => momentOf(at)],
  ['TOOK', ({ durationMs }) => (durationMs === undefined ? undefined : `${durationMs} ms`)],
  ['ANSWER', (attempt) => foreign(answerOf(attempt))],
  ['SAID', ({ answer }) => foreign(answer), 'below'],
] as const satisfies readonly Column<Attempt>[];

/** Indented, if it's JSON: what was signed is in --json. */
function printed(payload: string): string {
  try {
    const lines = JSON.stringify(JSON.parse(payload), null, 2).split('\n');
    return lines
      .map((line) => line.replace(/^( *)(.*)$/, (_, indent, rest) => indent + oneLine(rest)))
      .join('\n');
  } catch {
    return oneLine(payload);
  }
}

function addRetry(webhooks: Command, { asManager }: Sessions): void {
  webhooks
    .command('retry')
    .argument('<id>', 'the id of a delivery')
    .description('Retries a waiting delivery now')
    .addHelpText('after', examples('webhooks retry dlv_…'))
    .action(asks(asManager, 'POST /api/v1/webhooks/deliveries/{id}/retry', drawDelivery));
}

function addRetryWaiting(webhooks: Command, { asManager }: Sessions): void {
  webhooks
    .command('retry-waiting')
    .argument(...endpointArgument)
    .description('Retries all waiting deliveries of an endpoint now')
    .addHelpText('after', examples('webhooks retry-waiting whk_…'))
    .action(async (id: string, _options: object, command: Command) => {
      const { api, terminal, surroundings } = await asManager(command);
      let rounds: RetryRounds | undefined;
      do {
        if (rounds !== undefined) {
          terminal.say(`${rounds.retried} so far.`);
          await surroundings.sleep(rounds.pauseMs);
        }
        const answer = await api.ask('POST /api/v1/webhooks/{id}/retry-waiting', { path: { id } });
        rounds = afterRound(rounds, {
          retried: required(answer, 'retried'),
          hasMore: required(answer, 'hasMore'),
        });
      } while (!rounds.isDone);
      const { retried, hasMore } = rounds;
      terminal.show({ retried, hasMore }, () => retriedText(retried, hasMore));
    });
}

function retriedText(retried: number, hasMore: boolean): string {
  const more = hasMore ? ' More may wait: repeat the command in a minute.' : '';
  if (retried === 0) return hasMore ? `Nothing is due yet.${more}` : 'Nothing waits.';
  return `${retried} are due now. The scheduled run starts within a minute.${more}`;
}

function addRedeliver(webhooks: Command, { asManager }: Sessions): void {
  webhooks
    .command('redeliver')
    .argument('<id>', 'the id of a delivery')
    .description('Repeats one message, even to a disabled endpoint')
    .addHelpText('after', examples('webhooks redeliver dlv_…'))
    .action(asks(asManager, 'POST /api/v1/webhooks/deliveries/{id}/redeliver', drawDelivery));
}

function addRedeliverFailed(webhooks: Command, { asManager }: Sessions): void {
  webhooks
    .command('redeliver-failed')
    .argument(...endpointArgument)
    .description('Repeats all messages that failed since a time')
    .addOption(needed('--since <time>', 'for example 2026-11-21T09:00:00Z'))
    .addHelpText('after', examples('webhooks redeliver-failed whk_… --since 2026-11-21T09:00:00Z'))
    .action(async (id: string, { since }: { readonly since: string }, command: Command) => {
      const { api, terminal } = await asManager(command);
      let redelivered = 0;
      let cursor: string | undefined;
      do {
        const request = { path: { id }, body: { since, cursor } };
        const answer = await api.ask('POST /api/v1/webhooks/{id}/redeliver-failed', request);
        redelivered += required(answer, 'redelivered');
        cursor = required(answer, 'nextCursor') ?? undefined;
        if (cursor !== undefined) terminal.say(`${redelivered} so far.`);
      } while (cursor !== undefined);
      const words = redelivered === 0 ? 'Nothing to repeat' : `${redelivered} will be repeated`;
      terminal.show({ redelivered }, () => `${words}. The scheduled run starts within a minute.`);
    });
}
