import { placeAmongEvents } from '#shared/send-history/place-among-events';
import { attachmentsText, optionFacts } from '#shared/send-history/send-facts';
import type { AnswerOf } from '../api/answers.ts';
import { oneLine, type Paint } from '../terminal.ts';
import { type Block, type Drawing, hanging } from './layout.ts';
import { drawRecord, foreign, momentOf, paintState } from './text-table.ts';

type Timeline = AnswerOf<'GET /api/v1/sends/{id}'>;

type Send = NonNullable<Timeline['send']>;
type Event = NonNullable<Timeline['events']>[number];
type Webhook = NonNullable<Timeline['webhooks']>[number];

type Entry = {
  readonly at: number | undefined;
  readonly title: string;
  readonly details: readonly string[];
};

/** With its events, in the service's order, and its webhooks. */
export function drawTimeline(timeline: Timeline, paint: Paint): Drawing {
  const { send = {}, events = [], webhooks = [] } = timeline;
  const entries = entriesOf(send, events);
  const drawn = entries.map((entry) => drawEntry(entry, send.createdAt, paint));
  const drawnWebhooks = webhooks.map((webhook) => drawWebhook(webhook, paint));
  return [
    ...answer(timeline, paint),
    describe(send, paint),
    '',
    ...connect([...drawn, ...drawnWebhooks], paint),
  ];
}

/** The answer comes first: why, and what to do. */
function answer({ verdict }: Timeline, paint: Paint): string[] {
  const { sentence, next, receiver } = verdict ?? {};
  if (sentence === undefined) return [];
  return [
    paint('bold', `${oneLine(sentence)}.`),
    ...(next === undefined ? [] : [`  → ${oneLine(next)}`]),
    ...(receiver?.page === undefined
      ? []
      : [`  → ${oneLine(`${receiver.name}: ${receiver.page}`)}`]),
    '',
  ];
}

function describe(send: Send, paint: Paint): Block {
  const { status, outcome = status, outcomeAt, failureReason, suppressedRecipients = [] } = send;
  const reason = failureReason === undefined ? '' : `: ${oneLine(failureReason)}`;
  const leftOut = suppressedRecipients.map(({ email, reason }) => `${email} (${reason})`);
  return drawRecord([
    ['Send', send._id],
    ['Status', `${paintState(status, paint)}${reason}`],
    [
      'Outcome',
      outcome === status ? undefined : `${paintState(outcome, paint)} (${momentOf(outcomeAt)})`,
    ],
    ['From', foreign(send.fromEmail)],
    ['To', send.to ? listed(send.to) : foreign(send.toEmail)],
    ['Cc', listed(send.cc)],
    ['Bcc', listed(send.bcc)],
    ['Left out', listed(leftOut)],
    ['Subject', foreign(send.subject)],
    ['Attachments', attachmentsText(send)],
    ['Policy', send.policyKey],
    ['Scheduled for', momentOf(send.sendAt)],
    ...optionFacts(send).map(([name, texts]) => [name, listed(texts)] as const),
    ['Template', send.templateId],
    ['Missing variables', listed(send.missingVariables)],
    ['Key', foreign(send.idempotencyKey)],
    ['Content kept until', momentOf(send.contentUntil)],
    ['Sent again', send.resendOf],
    ['Sent again as', listed(send.resentAs)],
  ]);
}

const listed = (texts: readonly string[] = []): string | undefined =>
  texts.length === 0 ? undefined : texts.map(oneLine).join(', ');

function entriesOf(send: Send, events: readonly Event[]): Entry[] {
  const accepted: Entry = { at: send.createdAt, title: 'accepted', details: [] };
  const attempts = (send.attempts ?? []).map(
    ({ attempt, at, reason }): Entry => ({
      at,
      title: `attempt ${attempt} failed`,
      details: reason === undefined ? [] : [oneLine(reason)],
    }),
  );
  return [accepted, ...placeAmongEvents(attempts, events.map(toEntry))];
}

function toEntry(event: Event): Entry {
  const { type, ts, reason, url, hits, machine, providerMessageId, recipients = [] } = event;
  const about = [
    ...(type === 'sent' && providerMessageId !== undefined
      ? [`accepted by SES as ${providerMessageId}`]
      : []),
    ...(reason === undefined ? [] : [reason]),
    ...(url === undefined ? [] : [url]),
    ...(hits !== undefined && hits > 1 ? [`${hits} times`] : []),
    ...(machine === true ? ['by a machine'] : []),
  ];
  const whose = recipients.map(({ email, diagnostic }) =>
    [email, diagnostic].filter(Boolean).join(': '),
  );
  const details = [about.join(', '), ...whose].filter((text) => text !== '').map(oneLine);
  return { at: ts, title: type ?? 'unknown', details };
}

type Drawn = { readonly moment: string; readonly title: string; readonly below: readonly string[] };

function drawEntry({ at, title, details }: Entry, start: number | undefined, paint: Paint): Drawn {
  const [first, ...below] = details;
  const shown = title.replace(/\w+$/, (word) => paintState(word, paint));
  return {
    moment: `${momentOf(at) ?? ''.padEnd(20)}  ${sinceStart(at, start).padStart(8)}`,
    title: first === undefined ? shown : `${shown}  ${first}`,
    below,
  };
}

function drawWebhook(
  { type, endpointId, status, attempts, lastStatusCode }: Webhook,
  paint: Paint,
): Drawn {
  const tries = `${attempts} attempt${attempts === 1 ? '' : 's'}`;
  const answer = lastStatusCode === undefined ? '' : `, last answer ${lastStatusCode}`;
  return {
    moment: ''.padEnd(momentWidth),
    title: `webhook ${type} to ${endpointId}  ${paintState(status, paint)}, ${tries}${answer}`,
    below: [],
  };
}

/** `2026-11-21 18:31:59Z` and `+0.1 s`, with a gap between them. */
const momentWidth = 30;

function connect(entries: readonly Drawn[], paint: Paint): Block[] {
  return entries.flatMap(({ moment, title, below }, index) => {
    const isLast = index === entries.length - 1;
    const mark = entries.length === 1 ? '─' : index === 0 ? '┬' : isLast ? '└' : '├';
    const blank = ''.padEnd(momentWidth);
    const rest = `${blank}  ${isLast ? ' ' : '│'}   `;
    return [
      hanging(`${paint('dim', moment)}  ${mark} `, rest, title),
      ...below.map((text) => hanging(rest, rest, text)),
    ];
  });
}

/** In the unit a person would choose. */
function sinceStart(at = 0, start = at): string {
  const ms = at - start;
  if (ms <= 0) return '';
  const [amount, unit] =
    ms < 60_000
      ? [ms / 1_000, 's']
      : ms < 3_600_000
        ? [ms / 60_000, 'min']
        : ms < 86_400_000
          ? [ms / 3_600_000, 'h']
          : [ms / 86_400_000, 'd'];
  return `+${amount.toFixed(1)} ${unit}`;
}
