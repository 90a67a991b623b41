import * as z from 'zod/mini';
import { listedOutcomes } from '#shared/send-history/listed-outcomes';
import { type EventKind, eventKinds, firstTimesIn, outcomeOf } from '#shared/send-history/outcome';
import { readSends } from '#shared/send-history/send-list-store';
import type { Timeline } from '#shared/send-history/timeline-store';
import { isTestSend, stateAt } from '#shared/sending/send';
import { type FeedbackId, organizationIdOf } from '#shared/tokens/resource-id';
import {
  compare,
  isForgotten,
  type Ledger,
  type MailEventType,
  type MailReport,
  type Taken,
} from './ledger.ts';
import { recordedAs } from './row-changes.ts';
import type { World } from './world.ts';

/** The messages of a send whose events haven't expired yet. */
function remembered(feedbackId: FeedbackId, { ledger, scheduler }: World): Taken[] {
  const own = ledger.taken.filter((taken) => taken.feedbackId === feedbackId);
  return own.filter((taken) => !isForgotten(ledger, taken, scheduler.now()));
}

/** What SES reported about messages, and the service didn't ignore. */
const reportsOf = (messages: readonly Taken[], { reports }: Ledger): string[] =>
  reports.flatMap(({ taken, type, recordings }) => {
    const name = recordedAs.get(type);
    const isRecorded = recordings.some(({ kind }) => kind === 'recorded');
    const isExpected = messages.includes(taken) && name !== undefined && isRecorded;
    return isExpected ? [`${name} ${taken.messageId}`] : [];
  });

const isOf =
  (messages: readonly Taken[]) =>
  (reported: string): boolean =>
    messages.some(({ messageId }) => reported.endsWith(` ${messageId}`));

/** Each event is in the timeline once. */
export function checkEvents({ send, events }: Timeline, world: World): void {
  const { ledger } = world;
  const messages = remembered(send.feedbackId, world);
  const reported = events
    .filter(({ type }) => type !== 'sent' && type !== 'opened')
    .map(({ type, providerMessageId }) => `${type} ${providerMessageId}`);
  const expected = reportsOf(messages, ledger);
  compare('each event is recorded once', reported.filter(isOf(messages)), expected, ledger);

  const opened = events.filter(({ type }) => type === 'opened').length;
  const hasHit = ledger.hits.some(
    ({ taken, isRecorded }) => messages.includes(taken) && isRecorded,
  );
  const detail = `${send.idempotencyKey} opened ${opened} times`;
  if (opened > 1) ledger.violate('a send is opened once', detail);
  if (opened === 0 && hasHit) ledger.violate('a hit that was recorded shows', detail);
}

/** A sent email's outcome follows from SES's reports and people's hits. */
export function checkOutcome({ send, events }: Timeline, world: World): void {
  const { ledger, scheduler } = world;
  const now = scheduler.now();
  const messages = remembered(send.feedbackId, world);
  const own = ledger.taken.filter(({ feedbackId }) => feedbackId === send.feedbackId);
  if (stateAt(send, now).status !== 'sent' || messages.length < own.length) return;

  const { outcome, outcomeAt } = outcomeOf(send, now);
  const reported = ledger.reports.flatMap(({ taken, type, suppresses, recordings }) => {
    const isRecorded = recordings.some(({ kind }) => kind === 'recorded');
    return messages.includes(taken) && isRecorded ? (kindsOf(type, suppresses) ?? []) : [];
  });
  const byPersons = ledger.hits.filter(
    ({ taken, isMachine }) => messages.includes(taken) && !isMachine,
  );
  const isOpened = byPersons.some(({ isRecorded }) => isRecorded);
  const latestOf = (kinds: readonly string[]) =>
    eventKinds.findLast((kind) => kinds.includes(kind)) ?? 'sent';
  const expected = new Set([
    latestOf([...reported, ...(isOpened ? ['opened'] : [])]),
    // A process that counts a hit may die before it reports it.
    latestOf([...reported, ...(byPersons.length > 0 ? ['opened'] : [])]),
  ]);
  const detail = `${send.idempotencyKey} is ${outcome} since ${outcomeAt}`;
  if (!expected.has(outcome)) {
    ledger.violate(
      'a send has the outcome that its events give it',
      `${detail}, not ${[...expected]}`,
    );
  }
  const times = firstTimesIn(events);
  const last = eventKinds.findLast((kind) => times[kind] !== undefined);
  if ((last ?? 'sent') !== outcome || (last !== undefined && times[last] !== outcomeAt)) {
    ledger.violate('a timeline tells the outcome of its send', `${detail}, not ${last ?? 'sent'}`);
  }
}

/** An outcome that has a list is found by its own time, except that of a process that died before SES answered. */
export async function checkListedOutcome({ send }: Timeline, world: World): Promise<void> {
  const { ledger, scheduler, table } = world;
  const { outcome, outcomeAt } = outcomeOf(send, scheduler.now());
  if (!listedOutcomes.some((one) => one === outcome)) return;
  if (outcome === 'failed' && send.status === 'sending') return;
  const { found } = await readSends(
    table,
    organizationIdOf(send.id),
    {
      isTest: isTestSend(send),
      ...{ outcomes: [outcome], since: outcomeAt, until: outcomeAt + 1 },
      limit: 100,
    },
    scheduler.now,
  );
  const listed = found.filter(({ id }) => id === send.id).length;
  if (listed === 1) return;
  const detail = `${send.idempotencyKey}, ${outcome} at ${outcomeAt}, is listed ${listed} times`;
  ledger.violate('an outcome is listed once, at its time', detail);
}

const kindsOf = (
  type: MailEventType,
  suppresses: MailReport['suppresses'],
): EventKind | undefined =>
  type === 'Bounce' && suppresses === undefined ? 'soft_bounced' : recordedKinds.get(type);

const recordedKinds = new Map<MailEventType, EventKind>([
  ['Delivery', 'delivered'],
  ['Bounce', 'bounced'],
  ['Complaint', 'complained'],
]);

const bodySchema = z.object({
  data: z.object({ messageId: z.optional(z.string()), machine: z.optional(z.boolean()) }),
});

/** Each event has one delivery per subscriber, and so has a send that was suppressed, refused or canceled. */
export function checkOutbox({ send, events, deliveries }: Timeline, world: World): void {
  const { ledger, organization, scheduler } = world;
  const endings = ledger.endings
    .filter(({ feedbackId }) => feedbackId === send.feedbackId)
    .filter(({ expiresAt }) => expiresAt * 1000 > scheduler.now())
    .map(({ what }) => what);
  const messages = remembered(send.feedbackId, world);
  const expected = [
    ...messages.map(({ messageId }) => `sent ${messageId}`),
    ...reportsOf(messages, ledger),
  ];
  for (const webhook of Object.keys(organization.webhooks)) {
    const reported = deliveries
      .filter(({ webhookId }) => webhookId === webhook)
      .map(({ type, body }) => {
        const { messageId, machine } = bodySchema.parse(JSON.parse(body)).data;
        if (isEnding(type)) return [type.replace('email.', ''), messageId ?? []].flat().join(' ');
        const who = machine ? 'by a machine' : 'by a person';
        return `${type.replace('email.', '')} ${machine === undefined ? messageId : who}`;
      });
    const [ended, happened] = [
      reported.filter(isOfEnding),
      reported.filter((one) => !isOfEnding(one)),
    ];
    compare('one delivery per ending and subscriber', ended, endings, ledger);
    const ofEvents = happened.filter(isOf(messages));
    compare('one delivery per event and subscriber', ofEvents, expected, ledger);
    checkOpenedReports(
      events,
      reported.filter((one) => one.startsWith('opened ')),
      ledger,
    );
  }
}

const isEnding = (type: string): boolean =>
  type.startsWith('email.') && isOfEnding(type.replace('email.', ''));
const isOfEnding = (reported: string): boolean =>
  /^(?:failed|suppressed|canceled)\b/.test(reported);

/** Receivers get the first hit, and the first by a person. */
function checkOpenedReports(events: Timeline['events'], reported: string[], ledger: Ledger): void {
  const opened = events.find(({ type }) => type === 'opened');
  const isReported =
    opened === undefined ||
    (reported.length > 0 && (opened.machine === true || reported.includes('opened by a person')));
  const isReportedOnce = new Set(reported).size === reported.length;
  if (!isReported || !isReportedOnce)
    ledger.violate('receivers get a first hit once', reported.join(', '));
}
