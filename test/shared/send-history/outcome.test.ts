import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event } from '#shared/events/event';
import {
  type EventKind,
  eventKinds,
  type FirstTimes,
  firstAttributes,
  firstTimesIn,
  kindOf,
  outcomeOf,
  withFirst,
} from '#shared/send-history/outcome';
import type { Send } from '#shared/sending/send';
import { buildSend } from '../../support/send-builder.ts';

const now = 1_800_000_000_000;
const kinds = fc.constantFrom(...eventKinds);
const reports = fc.array(fc.tuple(kinds, fc.integer({ min: 1, max: 1_000 })), { maxLength: 20 });
const firstTimesOfAll = (all: readonly (readonly [EventKind, number])[]): FirstTimes =>
  all.reduce<FirstTimes>((times, [kind, at]) => withFirst(times, kind, at), {});

const bounced = (reason: string): Partial<Event> => ({ type: 'bounced', reason });

describe('the outcome of a send that SES took', () => {
  const sent = { status: 'sent', sentAt: 7 } as const;

  it.each<[readonly Partial<Event>[], string]>([
    [[], 'sent'],
    [[{ type: 'delayed' }], 'delayed'],
    [[{ type: 'delivered' }, { type: 'delayed' }], 'delivered'],
    [[bounced('Transient/General'), { type: 'delivered' }], 'soft_bounced'],
    [[{ type: 'opened', machine: true }, { type: 'delivered' }], 'delivered'],
    [[{ type: 'opened', machine: false }, bounced('Transient/General')], 'opened'],
    [
      [
        { type: 'clicked', machine: false },
        { type: 'opened', machine: false },
      ],
      'clicked',
    ],
    [[{ type: 'clicked', machine: false }, bounced('Permanent/NoEmail')], 'bounced'],
    [[bounced('provider_suppressed')], 'bounced'],
    [[bounced('Permanent/General'), { type: 'complained' }], 'complained'],
  ])('after %o is %s', (events, outcome) => {
    const kinds = events.flatMap((event) => kindOf({ type: 'sent', ...event }) ?? []);
    const firsts = Object.fromEntries(kinds.map((kind) => [firstAttributes[kind], 1]));

    expect(outcomeOf(buildSend({ ...sent, ...firsts }), now).outcome).toBe(outcome);
  });

  it('is the same for any order and repetition of reports', () => {
    fc.assert(
      fc.property(reports, fc.infiniteStream(fc.nat()), (given, places) => {
        const again = given.flatMap((one) => [one, one]);
        const shuffled = again
          .map((one) => [places.next().value ?? 0, one] as const)
          .toSorted(([one], [other]) => one - other)
          .map(([, one]) => one);

        expect(firstTimesOfAll(shuffled)).toEqual(firstTimesOfAll(given));
      }),
    );
  });

  it("is the same from the send's fields as from its timeline", () => {
    const send = buildSend({ ...sent, deliveredAt: 20, opens: 2, openedAt: 30, firstBounceAt: 40 });
    const events: Event[] = [
      { type: 'delivered', ts: 20 },
      { type: 'opened', ts: 30, hits: 2, machine: false },
      { type: 'bounced', ts: 40, reason: 'Permanent/General' },
    ];

    expect(outcomeOf(send, now)).toEqual({ outcome: 'bounced', outcomeAt: 40 });
    expect(firstTimesIn(events)).toEqual({ delivered: 20, opened: 30, bounced: 40 });
  });

  it('has the time of the first such report', () => {
    const send = buildSend({ ...sent, deliveredAt: 30, firstDeliveryAt: 20 });

    expect(outcomeOf(send, now)).toEqual({ outcome: 'delivered', outcomeAt: 20 });
  });
});

describe("the outcome of a send that SES didn't take", () => {
  const refusal = { attempt: 1, at: 9, reason: 'MessageRejected' };

  it.each<[Partial<Send>, string, number]>([
    [{ status: 'scheduled', updatedAt: 5 }, 'scheduled', 5],
    [{ status: 'suppressed', updatedAt: 5 }, 'suppressed', 5],
    [{ status: 'failed', attempts: [refusal], deliveredAt: 3 }, 'failed', 9],
    [{ status: 'sending', leaseExpiresAt: now + 1, claimedAt: 4 }, 'sending', 4],
    [{ status: 'sending', leaseExpiresAt: 8 }, 'failed', 8],
    [{ status: 'sending', leaseExpiresAt: 8, provenAt: 6 }, 'sent', 6],
  ])('is its status: %o', (send, outcome, outcomeAt) => {
    expect(outcomeOf(buildSend(send), now)).toEqual({ outcome, outcomeAt });
  });
});
