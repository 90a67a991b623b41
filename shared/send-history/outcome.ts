import type { Event } from '#shared/events/event';
import type { EventAttributes } from '#shared/sending/event-attributes';
import { failureOf, type Send, type SendStatus, stateAt } from '#shared/sending/send';
import { isHardBounce } from '#shared/suppressions/bounce-kinds';

/**
 * The events that decide what became of an email that SES took. The last kind in this list wins, whichever came first:
 *
 * - A person who opens it has it, even if their server, or an autoresponder, sent a soft bounce.
 * - An address that bounced for good, or complained, needs attention.
 */
export const eventKinds = [
  'delayed',
  'delivered',
  'soft_bounced',
  'opened',
  'clicked',
  'bounced',
  'complained',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** `sent`: no event has come yet. */
export const outcomes = [
  'scheduled',
  'queued',
  'sending',
  'canceled',
  'suppressed',
  'failed',
  'sent',
  ...eventKinds,
] as const satisfies readonly (SendStatus | EventKind)[];
export type Outcome = (typeof outcomes)[number];

/** When the first event of each kind came. */
export type FirstTimes = Partial<Readonly<Record<EventKind, number>>>;

/** Neither order nor repetition matters. */
export const withFirst = (times: FirstTimes, kind: EventKind, at: number): FirstTimes => ({
  ...times,
  [kind]: Math.min(times[kind] ?? at, at),
});

/** A machine that fetches a pixel or a link says nothing about the email. */
export function kindOf({
  type,
  reason,
  machine,
}: Pick<Event, 'type' | 'reason' | 'machine'>): EventKind | undefined {
  switch (type) {
    case 'sent':
      return undefined;
    case 'bounced':
      return isHardBounce(reason) ? 'bounced' : 'soft_bounced';
    case 'opened':
    case 'clicked':
      return machine === true ? undefined : type;
    case 'delayed':
    case 'delivered':
    case 'complained':
      return type;
  }
}

export const firstTimesIn = (events: readonly Event[]): FirstTimes =>
  events.reduce<FirstTimes>((times, event) => {
    const kind = kindOf(event);
    return kind === undefined ? times : withFirst(times, kind, event.ts);
  }, {});

/** For kinds whose events are separate items: the attribute that says when the first came. */
export const firstAttributes = {
  delivered: 'firstDeliveryAt',
  delayed: 'firstDelayAt',
  soft_bounced: 'firstSoftBounceAt',
  bounced: 'firstBounceAt',
  complained: 'firstComplaintAt',
  opened: 'firstOpenAt',
  clicked: 'firstClickAt',
} as const satisfies Record<EventKind, keyof EventAttributes>;

function firstTimesOf(send: EventAttributes): FirstTimes {
  const entries = [
    ['delivered', send.deliveredAt] as const,
    ['opened', send.openedAt] as const,
    ...eventKinds.map((kind) => [kind, send[firstAttributes[kind]]] as const),
  ];
  return entries.reduce<FirstTimes>(
    (times, [kind, at]) => (at === undefined ? times : withFirst(times, kind, at)),
    {},
  );
}

type KnownOutcome = { readonly outcome: Outcome; readonly outcomeAt: number };

/** The outcome at `now`, and since when: epoch milliseconds. */
export function outcomeOf(send: Send, now: number): KnownOutcome {
  const { status } = stateAt(send, now);
  if (status !== 'sent') return { outcome: status, outcomeAt: endOf(send, status) };
  const times = firstTimesOf(send);
  const outcome = eventKinds.findLast((kind) => times[kind] !== undefined);
  const at = outcome && times[outcome];
  return outcome === undefined || at === undefined
    ? { outcome: 'sent', outcomeAt: send.sentAt ?? send.provenAt ?? send.updatedAt }
    : { outcome, outcomeAt: at };
}

function endOf(send: Send, status: SendStatus): number {
  switch (status) {
    case 'failed':
      return failureOf(send)?.at ?? send.leaseExpiresAt;
    case 'sending':
      return send.claimedAt;
    default:
      return send.updatedAt;
  }
}
