import { describe, expect, it } from 'vitest';
import {
  longestRetryDelaySeconds,
  mostRetries,
  retryDelaySeconds,
} from '#shared/config/event-retry-plan';

const receives = Array.from({ length: mostRetries }, (_, index) => index + 1);

describe('the tries of an event', () => {
  it('begin seconds apart, and end half an hour apart', () => {
    const delays = receives.map(retryDelaySeconds);

    expect(delays.slice(0, 4)).toEqual([2, 4, 8, 16]);
    expect(delays.at(-1)).toBe(1_800);
    expect(delays).toEqual(delays.toSorted((one, other) => one - other));
  });

  it('go on for a day at least, and not for much longer', () => {
    const waits = receives.slice(0, -1).map(retryDelaySeconds);

    const hours = waits.reduce((sum, seconds) => sum + seconds, 0) / 3_600;
    expect(hours).toBeGreaterThanOrEqual(24);
    expect(hours).toBeLessThan(24.5);
  });

  it('go on for no more than two days when each one is followed by the longest delay', () => {
    const hours = ((mostRetries - 1) * longestRetryDelaySeconds) / 3_600;

    expect(hours).toBeLessThan(2 * 24);
  });
});
