import type { Event } from '#shared/events/event';
import type { HeardAttributes } from '#shared/sending/heard';
import { failureOf, type Send, type SendStatus, stateAt } from '#shared/sending/send';
import { isHardBounce } from '#shared/suppressions/bounce-kinds';

/**
 * What may be heard of an email that SES took. The last one in this list decides, whichever came first:
 *
 * - A person who opens it has it, even if their server, or an autoresponder, sent a soft bounce.
 * - An address that bounced for good, or complained, needs attention.
 */
export const heardKinds = [
  'delayed',
  'delivered',
  'soft_bounced',
  'opened',
  'clicked',
  'bounced',
  'complained',
] as const;
export type HeardKind = (typeof heardKinds)[number];

/** `sent`: nothing has been heard yet. */
export const outcomes = [
  'scheduled',
  'queued',
  'sending',
  'canceled',
  'suppressed',
  'failed',
  'sent',
  ...heardKinds,
] as const satisfies readonly (SendStatus | HeardKind)[];
export type Outcome = (typeof outcomes)[number];

/** When each kind was first heard. */
export type Heard = Partial<Readonly<Record<HeardKind, number>>>;

/** Neither order nor repetition matters. */
export const hear = (heard: Heard, kind: HeardKind, at: number): Heard => ({
  ...heard,
  [kind]: Math.min(heard[kind] ?? at, at),
});

/** A machine that fetches a pixel or a link says nothing about the email. */
export function kindOf({
  type,
  reason,
  machine,
}: Pick<Event, 'type' | 'reason' | 'machine'>): HeardKind | undefined {
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

export const heardIn = (events: readonly Event[]): Heard =>
  events.reduce<Heard>((heard, event) => {
    const kind = kindOf(event);
    return kind === undefined ? heard : hear(heard, kind, event.ts);
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
} as const satisfies Record<HeardKind, keyof HeardAttributes>;

function heardBy(send: HeardAttributes): Heard {
  const inline = { delivered: send.deliveredAt, opened: send.openedAt };
  const firsts = heardKinds.map((kind) => [kind, send[firstAttributes[kind]]] as const);
  return [...Object.entries(inline), ...firsts].reduce<Heard>((heard, [name, at]) => {
    const kind = heardKinds.find((one) => one === name);
    return kind === undefined || at === undefined ? heard : hear(heard, kind, at);
  }, {});
}

type KnownOutcome = { readonly outcome: Outcome; readonly outcomeAt: number };

/** The outcome at `now`, and since when: epoch milliseconds. */
export function outcomeOf(send: Send, now: number): KnownOutcome {
  const { status } = stateAt(send, now);
  if (status !== 'sent') return { outcome: status, outcomeAt: endOf(send, status) };
  const heard = heardBy(send);
  const outcome = heardKinds.findLast((kind) => heard[kind] !== undefined);
  const at = outcome && heard[outcome];
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
