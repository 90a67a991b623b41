import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeAmongEvents } from '#shared/send-history/place-among-events';

describe('placeAmongEvents', () => {
  it('places each step before the first event that isn’t earlier', () => {
    const events = [{ at: 10 }, { at: 20 }, { at: 30 }];
    const [early, simultaneous, late] = [{ at: 5 }, { at: 20 }, { at: 40 }];

    const placed = placeAmongEvents([early, simultaneous, late], events);

    expect(placed.map(({ at }) => at)).toEqual([5, 10, 20, 20, 30, 40]);
    expect(placed[2]).toBe(simultaneous);
  });

  it('never changes the order of the events, whatever their times', () => {
    const steps = fc.array(fc.record({ at: fc.option(fc.nat(100), { nil: undefined }) }));
    fc.assert(
      fc.property(steps, steps, (others, events) => {
        const placed = placeAmongEvents(others, events);

        expect(placed.filter((step) => events.includes(step))).toEqual(events);
        expect(placed).toHaveLength(others.length + events.length);
      }),
    );
  });
});
