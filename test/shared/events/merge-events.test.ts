import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event } from '#shared/events/event';
import { mergeEvents } from '#shared/events/merge-events';

const bounced: Event = { type: 'bounced', ts: 2_000, providerMessageId: 'message-1' };
const ann = { email: 'ann@example.com', diagnostic: 'smtp; 550 unknown' };
const bob = { email: 'bob@example.com' };

/** Few values, so that reports are alike in all ways. None has an empty list of recipients. */
const reports = fc.array(
  fc.record(
    {
      type: fc.constant('bounced' as const),
      ts: fc.constantFrom(1, 2),
      reason: fc.constantFrom('Permanent/General', 'Transient/General'),
      recipients: fc.array(
        fc.record(
          { email: fc.constantFrom('a', 'b', 'c'), diagnostic: fc.constantFrom('x', 'y') },
          { requiredKeys: ['email'] },
        ),
        { minLength: 1 },
      ),
    },
    { requiredKeys: ['type', 'ts'] },
  ),
  { minLength: 1, maxLength: 5 },
);

const mergeAll = (all: readonly Event[]): Event | undefined => {
  const [first, ...others] = all;
  return first && others.reduce(mergeEvents<Event>, mergeEvents(first, first));
};

describe('two reports of one event', () => {
  it('have the recipients of both', () => {
    const merged = mergeEvents(
      { ...bounced, recipients: [bob] },
      { ...bounced, recipients: [ann] },
    );

    expect(merged).toEqual({ ...bounced, recipients: [ann, bob] });
  });

  it('have the time of the earlier one, and the graver reason', () => {
    const permanent = { ...bounced, reason: 'Permanent/General' };
    const earlier = { ...bounced, ts: 1_000, reason: 'Transient/General' };

    expect(mergeEvents(permanent, earlier)).toEqual({ ...permanent, ts: 1_000 });
    expect(mergeEvents(earlier, permanent)).toEqual({ ...permanent, ts: 1_000 });
  });

  it('have the reason that only one of them tells', () => {
    const merged = mergeEvents({ ...bounced, ts: 1_000 }, { ...bounced, reason: 'abuse' });

    expect(merged).toEqual({ ...bounced, ts: 1_000, reason: 'abuse' });
  });

  it('stay without recipients when neither names any', () => {
    expect(mergeEvents(bounced, { ...bounced, ts: 9_000 })).toEqual(bounced);
  });
});

it('makes the same event of reports in any order, and of repeated ones', () => {
  const shuffled = reports.chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray([...all, ...all], {
        minLength: 2 * all.length,
        maxLength: 2 * all.length,
      }),
    ),
  );

  fc.assert(
    fc.property(shuffled, ([all, repeated]) => {
      expect(mergeAll(repeated)).toEqual(mergeAll(all));
    }),
    { numRuns: 1_000 },
  );
});
