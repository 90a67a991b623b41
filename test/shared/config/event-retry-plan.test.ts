import { describe, expect, it } from 'vitest';
import {
  maxRetries,
  recordingTimeoutSeconds,
  retryDelaySeconds,
  silenceSeconds,
  workSeconds,
} from '#shared/config/event-retry-plan';

const receives = Array.from({ length: maxRetries }, (_, index) => index + 1);

describe('the tries of an event', () => {
  it('begin seconds apart, and end a minute and a half apart', () => {
    const delays = receives.map(retryDelaySeconds);

    expect(delays.slice(0, 4)).toEqual([2, 4, 8, 16]);
    expect(delays.at(-1)).toBe(90);
    expect(delays).toEqual(delays.toSorted((one, other) => one - other));
  });

  it('go on for a day at least, and not for much longer', () => {
    const waits = receives.slice(0, -1).map(retryDelaySeconds);

    const hours = waits.reduce((sum, seconds) => sum + seconds, 0) / 3_600;
    expect(hours).toBeGreaterThanOrEqual(24);
    expect(hours).toBeLessThan(24.5);
  });

  it('are no more than SQS allows', () => {
    expect(maxRetries).toBeLessThanOrEqual(1_000);
  });

  it('are never sooner when a process dies than when it says that it failed', () => {
    for (const receive of receives) {
      expect(workSeconds(receive)).toBeGreaterThanOrEqual(retryDelaySeconds(receive));
      expect(silenceSeconds).toBeGreaterThanOrEqual(workSeconds(receive));
    }
  });

  it('never begin while the one before may be at work', () => {
    for (const receive of receives) {
      expect(workSeconds(receive)).toBeGreaterThan(recordingTimeoutSeconds);
    }
  });

  it('go on for little more than two days when every process dies before it begins', () => {
    const hours = ((maxRetries - 1) * silenceSeconds) / 3_600;

    expect(hours).toBeLessThan(2.1 * 24);
  });
});
