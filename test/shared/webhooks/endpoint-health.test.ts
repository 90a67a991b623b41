import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EndpointHealth,
  exhaustedShareOf,
  failingFrom,
  isRecovery,
  isToBeDisabled,
  isToBeWarnedOf,
  windowEndedBefore,
} from '#shared/webhooks/endpoint-health';
import { webhookNow as now } from './webhook-builder.ts';

const dayMs = 86_400_000;

/** Any health that a store can hold, seen at the moment `now`. */
const anyHealth = fc.record({
  since: fc.integer({ min: now - 20 * dayMs, max: now }),
  exhausted: fc.integer({ min: 1, max: 200 }),
  delivered: fc.integer({ min: 0, max: 200 }),
});

const health = (days: number, exhausted: number, delivered = 0): EndpointHealth => ({
  since: now - days * dayMs,
  exhausted,
  delivered,
});

describe('an endpoint is disabled', () => {
  it.each([
    ['after five days in which all of ten deliveries were exhausted', health(5, 10), true],
    ['not a moment earlier', { ...health(5, 10), since: now - 5 * dayMs + 1 }, false],
    ['not for nine deliveries', health(14, 9), false],
    ['when nine of ten were exhausted', health(5, 9, 1), true],
    ['not when more than one in ten succeeded', health(5, 89, 10), false],
  ])('%s', (_when, given, expected) => {
    expect(isToBeDisabled(given, now)).toBe(expected);
  });

  it('only for a share of nine tenths, of at least ten, over at least five days', () => {
    fc.assert(
      fc.property(anyHealth, (any) => {
        if (!isToBeDisabled(any, now)) return;
        expect(any.exhausted + any.delivered).toBeGreaterThanOrEqual(10);
        expect(any.exhausted).toBeGreaterThanOrEqual(9 * any.delivered);
        expect(now - any.since).toBeGreaterThanOrEqual(5 * dayMs);
      }),
    );
  });

  it('neither sooner for a success more, nor later for an exhausted delivery more', () => {
    fc.assert(
      fc.property(anyHealth, (any) => {
        const better = { ...any, delivered: any.delivered + 1 };
        const worse = { ...any, exhausted: any.exhausted + 1 };
        if (any.exhausted + any.delivered >= 10 && !isToBeDisabled(any, now)) {
          expect(isToBeDisabled(better, now)).toBe(false);
        }
        if (isToBeDisabled(any, now)) expect(isToBeDisabled(worse, now)).toBe(true);
      }),
    );
  });

  it('never without being warned of by the same deliveries', () => {
    fc.assert(
      fc.property(anyHealth, (any) => {
        if (isToBeDisabled(any, now)) expect(isToBeWarnedOf(any, now)).toBe(true);
      }),
    );
  });
});

describe('the owner of an endpoint is warned', () => {
  it.each([
    ['after a day of five exhausted deliveries', health(1, 5), true],
    ['not within the first day', { ...health(1, 500), since: now - dayMs + 1 }, false],
    ['not of four deliveries', health(9, 4), false],
    ['not while one in five succeeds', health(9, 40, 10), false],
  ])('%s', (_when, given, expected) => {
    expect(isToBeWarnedOf(given, now)).toBe(expected);
  });
});

describe('the count of an endpoint', () => {
  it('begins with one exhausted delivery', () => {
    expect(failingFrom(now)).toEqual({ since: now, exhausted: 1, delivered: 0 });
    expect(exhaustedShareOf(failingFrom(now))).toBe(1);
  });

  /** What a store makes of a row of outcomes, and how many writes the successes among them cost. */
  function count(outcomes: readonly boolean[]) {
    let current: EndpointHealth | undefined;
    let successWrites = 0;
    for (const isDelivered of outcomes) {
      if (!isDelivered) {
        current = current ? { ...current, exhausted: current.exhausted + 1 } : failingFrom(now);
      } else if (current !== undefined) {
        successWrites += 1;
        const after = { ...current, delivered: current.delivered + 1 };
        current = isRecovery(current) ? undefined : after;
      }
    }
    return { health: current, successWrites };
  }

  it('costs successes no more writes than there are exhausted deliveries', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), (outcomes) => {
        const exhausted = outcomes.filter((isDelivered) => !isDelivered).length;

        expect(count(outcomes).successWrites).toBeLessThanOrEqual(exhausted);
      }),
    );
  });

  it('is empty or says that more were exhausted than succeeded', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), (outcomes) => {
        const { health: counted } = count(outcomes);

        if (counted !== undefined) expect(counted.exhausted).toBeGreaterThan(counted.delivered);
      }),
    );
  });
});

it('begins another window of health after 15 days', () => {
  expect(windowEndedBefore(now)).toBe(now - 15 * dayMs);
});
