import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { eventKinds, outcomes } from '#shared/send-history/outcome';
import { idempotencyKeySchema } from '#shared/sending/request/send-fields';
import { type SendStatus, sendStatuses } from '#shared/sending/send';
import { asks, type Given, lists, tells } from '../actions.ts';
import { type AnswerOf, type EntryOf, required } from '../api/answers.ts';
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
import { drawTimeline } from '../drawing/timeline.ts';
import { AdvisedFailure, exitCodes, Failure, usageFailure } from '../failure.ts';
import { examples, needed, oneOf, quoted } from '../options.ts';
import type { ApiSession, Sessions } from '../session.ts';
import { oneLine, type Paint } from '../terminal.ts';

type Send = EntryOf<'GET /api/v1/sends'>;

export function addSends(sends: Command, sessions: Sessions): void {
  addList(sends, sessions);
  addShow(sends, sessions);
  addContent(sends, sessions);
  addResend(sends, sessions);
  addCancel(sends, sessions);
  addMove(sends, sessions);
  addFreeKey(sends, sessions);
}

function addContent(sends: Command, { asManager }: Sessions): void {
  sends
    .command('content')
    .argument('<id>', 'the id of a send')
    .description('Shows the stored content of an email; the audit log records it')
    .addHelpText('after', examples('sends content snd_…', 'sends content snd_… --json'))
    .action(asks(asManager, 'GET /api/v1/sends/{id}/content', drawContent));
}

const drawContent = ({
  fromEmail,
  toEmail,
  subject,
  content,
  attachments = [],
}: AnswerOf<'GET /api/v1/sends/{id}/content'>): Drawing => [
  drawRecord([
    ['From', foreign(fromEmail)],
    ['To', foreign(toEmail)],
    ['Subject', foreign(subject)],
    ['Attachments', attachments.map(({ filename }) => foreign(filename)).join(', ') || undefined],
  ]),
  '',
  verbatim((content ?? '').split('\n').map(oneLine).join('\n')),
];

function addResend(sends: Command, sessions: Sessions): void {
  sends
    .command('resend')
    .argument('<id>', 'the id of a send')
    .description('Sends the stored content of an email again, as a new send')
    .option('--to <email>', 'to this address instead of its recipients')
    .option(
      '--key <key>',
      'an idempotency key: repeating the command with it sends no second email',
      readIdempotencyKey,
    )
    .addHelpText(
      'after',
      examples('sends resend snd_…', 'sends resend snd_… --to ann@example.com --key again-ann'),
    )
    .action(async (id: string, options: SendingAgain, command: Command) => {
      const session = await sessions.asManager(command);
      const answer = await resend(session, id, options);
      session.terminal.show(answer, (paint) => drawState(answer, paint));
    });
}

type SendingAgain = { readonly to?: string; readonly key?: string };

/** @throws AdvisedFailure with the key if the email may have been sent. */
async function resend(
  { api, suggest }: ApiSession,
  id: string,
  { to, key: given }: SendingAgain,
): Promise<AnswerOf<'POST /api/v1/sends/{id}/resend'>> {
  const key = given ?? randomUUID();
  const request = { path: { id }, headers: { 'idempotency-key': key }, body: { to } };
  try {
    return await api.ask('POST /api/v1/sends/{id}/resend', request);
  } catch (error) {
    const mayBeSent =
      error instanceof Failure &&
      (error.exitCode === exitCodes.unavailable || error.code === 'unknown_answer');
    if (!mayBeSent || given !== undefined) throw error;
    const words = ['sends resend', quoted(id), ...(to ? ['--to', quoted(to)] : []), '--key', key];
    const command = suggest(words.join(' '));
    throw new AdvisedFailure(error, `To retry without sending it twice: ${command}`);
  }
}

/** The key travels in a header: without this check, one that no header can hold would look like a lost connection. */
function readIdempotencyKey(text: string): string {
  if (idempotencyKeySchema.safeParse(text).success) return text;
  throw new InvalidArgumentError('Must be 1 to 255 printable ASCII characters.');
}

function addCancel(sends: Command, sessions: Sessions): void {
  sends
    .command('cancel')
    .summary('Cancels a waiting email, or all of a key')
    .argument('[id]', 'the id of a send')
    .description('Cancels a scheduled or queued email, or all of a key; safe to repeat')
    .option('--key <id>', 'all waiting emails of this API key, by its id')
    .addHelpText('after', examples('sends cancel snd_…', 'sends cancel --key key_…'))
    .action(
      async (id: string | undefined, { key }: { readonly key?: string }, command: Command) => {
        if ((id === undefined) === (key === undefined)) {
          throw usageFailure('Name a send, or a key with --key.');
        }
        const session = await sessions.asManager(command);
        if (key !== undefined) return cancelAllOf(key, session);
        if (id === undefined) return;
        const { api, terminal } = session;
        const answer = await api.ask('POST /api/v1/sends/{id}/cancel', { path: { id } });
        terminal.show(answer, (paint) => drawState(answer, paint));
      },
    );
}

async function cancelAllOf(key: string, { api, terminal, target }: ApiSession): Promise<void> {
  const waiting = await waitingOf(key, api);
  if (waiting.length === 0) return terminal.say(`No email of ${key} is waiting.`);
  await terminal.confirm(`Cancel ${waiting.length} emails of ${key} on ${target.name}?`);
  const answers: AnswerOf<'POST /api/v1/sends/{id}/cancel'>[] = [];
  for (const { _id: id } of waiting) {
    if (id !== undefined) answers.push(...(await cancelIfWaiting(id, api)));
  }
  terminal.show({ data: answers }, (paint) => drawTable(answers, canceledColumns, paint));
  const left = waiting.length - answers.length;
  if (left > 0) terminal.say(`${left} had already been sent, or were being sent.`);
}

/** An email waits 33 days at most: it may be scheduled 30 days ahead, and held up for two. */
const longestWaitMs = 33 * 86_400_000;

async function waitingOf(key: string, api: ApiClient): Promise<Send[]> {
  const found: Send[] = [];
  const from = new Date(Date.now() - longestWaitMs).toISOString();
  for (const status of ['scheduled', 'queued'] as const) {
    let cursor: string | undefined;
    do {
      const query = { key, status, from, limit: '100', cursor };
      const page = await api.ask('GET /api/v1/sends', { query });
      found.push(...required(page, 'data'));
      cursor = required(page, 'nextCursor') ?? undefined;
    } while (cursor !== undefined);
  }
  return found;
}

async function cancelIfWaiting(id: string, api: ApiClient) {
  try {
    return [await api.ask('POST /api/v1/sends/{id}/cancel', { path: { id } })];
  } catch (error) {
    if (error instanceof Failure && error.code === 'send_not_waiting') return [];
    throw error;
  }
}

const canceledColumns: readonly Column<AnswerOf<'POST /api/v1/sends/{id}/cancel'>>[] = [
  ['ID', ({ sendId }) => sendId],
  ['STATUS', ({ status }, paint) => paintState(status, paint)],
];

function addMove(sends: Command, { asManager }: Sessions): void {
  sends
    .command('move')
    .argument('<id>', 'the id of a send')
    .description('Reschedules a scheduled or queued email')
    .addOption(needed('--at <time>', 'when it goes out, for example 2026-11-21T09:00:00Z'))
    .addHelpText('after', examples('sends move snd_… --at 2026-11-21T09:00:00Z'))
    .action(
      asks(asManager, 'PATCH /api/v1/sends/{id}', drawState, {
        values: ({ at }) => ({ sendAt: at }),
      }),
    );
}

const drawState = (
  { sendId, status, sendAt }: AnswerOf<'PATCH /api/v1/sends/{id}'>,
  paint: Paint,
): Block =>
  drawRecord([
    ['Send', sendId],
    ['Status', paintState(status, paint)],
    ['Goes out', momentOf(sendAt)],
  ]);

function addFreeKey(sends: Command, { asManager }: Sessions): void {
  sends
    .command('free-key')
    .summary('Frees an idempotency key for a new email')
    .argument('<key>', 'an idempotency key')
    .description('Frees an idempotency key; the next request with it sends a new email')
    .option('--test', 'the key of test emails')
    .addHelpText('after', examples('sends free-key welcome-ann'))
    .action(
      tells(
        asManager,
        'DELETE /api/v1/idempotency-keys/{key+}',
        ({ key }) => `${foreign(`${key}`)} is free.`,
      ),
    );
}

function addList(sends: Command, { asManager }: Sessions): void {
  withPages(sends.command('list'))
    .description('Lists sends, newest first')
    .option('--to <email>', 'only to this address')
    .option('--status <status>', `only ${sendStatuses.join(', ')}`, statusOf)
    .option('--outcome <outcomes>', `only ${outcomes.join(', ')}; comma-separated`)
    .option('--from <time>', 'only since this time, for example 2026-11-21')
    .option('--until <time>', 'only before this time')
    .option('--template <id>', 'only with this template')
    .option('--key <id>', 'only with this API key, by its id')
    .option('--tag <name:value>', 'only with this tag')
    .option(
      '--search <text>',
      "search by an id (ours or SES's), an idempotency key, or words in addresses, subject and tags",
    )
    .option('--test', 'test emails instead')
    .addHelpText(
      'after',
      examples(
        'sends list --to ann@example.com',
        'sends list --search "ann reset"',
        'sends list --outcome bounced,soft_bounced --from 2026-11-21 --all',
      ),
    )
    .action(
      lists(asManager, 'GET /api/v1/sends', { columns: columnsFor, whenEmpty: 'No sends found.' }),
    );
}

function statusOf(text: string): SendStatus {
  const isOutcome = eventKinds.some((kind) => kind === text);
  if (!isOutcome) return oneOf(sendStatuses)(text);
  throw new InvalidArgumentError(`That is an outcome: --outcome ${text}.`);
}

/** With an outcome filter, each email's line includes the reason. */
const columnsFor = ({ outcome }: Given): readonly Column<Send>[] => [
  ['TIME', ({ createdAt }) => momentOf(createdAt)],
  ['OUTCOME', ({ status, outcome: known = status }, paint) => paintState(known, paint)],
  ['OUTCOME AT', outcomeMoment, 'wide'],
  ['TO', ({ toEmail }) => foreign(toEmail), 'cut'],
  ['SUBJECT', ({ subject }) => foreign(subject), 'cut'],
  ...(outcome === undefined ? [] : [['WHY', whyOf, 'below'] as const]),
  ['ID', ({ _id }) => _id, 'below'],
];

/** For a waiting email, when it will go out. */
const outcomeMoment = ({ status, sendAt, outcomeAt }: Send) =>
  sendAt !== undefined && (status === 'scheduled' || status === 'queued')
    ? `goes out ${momentOf(sendAt)}`
    : momentOf(outcomeAt);

/** Without a verdict, as in older deployments, and for a reply without a known status: the server's or SES's words. */
const whyOf = ({ verdict, cause, failureReason }: Send) =>
  verdict?.why !== undefined && verdict.code !== 'unexplained'
    ? foreign(verdict.why)
    : foreign(cause?.diagnostic ?? cause?.reason ?? failureReason);

function addShow(sends: Command, sessions: Sessions): void {
  sends
    .command('show')
    .argument('<id>', 'the id of a send, or the id that SES or a log shows')
    .description('Shows the timeline of a send: attempts, events, webhooks')
    .addHelpText('after', examples('sends show snd_…', 'sends show 0100019abc…-000000 --json'))
    .action(async (given: string, _options, command: Command) => {
      const { api, terminal } = await sessions.asManager(command);
      const id = given.startsWith('snd_') ? given : await findSend(api, given);
      const answer = await api.ask('GET /api/v1/sends/{id}', { path: { id } });
      terminal.show(answer, (paint) => drawTimeline(answer, paint));
    });
}

/** @returns the given text if it names no send, or several: the service's error says more. */
async function findSend(api: ApiClient, given: string): Promise<string> {
  const { data = [] } = await api.ask('GET /api/v1/sends', {
    query: { search: given, limit: '2' },
  });
  const [send, ...others] = data;
  return others.length > 0 ? given : (send?._id ?? given);
}
