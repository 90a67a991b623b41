import { describe, expect, it } from 'vitest';
import { limitRate } from '#shared/access/limit-rate';
import type { RateLimit } from '#shared/access/rate-limit';
import type { WindowDemand } from '#shared/access/rate-window-store';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';

/** Ten seconds after a minute, and an hour before midnight in UTC. */
const now = Date.UTC(2026, 10, 21, 23, 0, 10);

function prepare(
  caps: { readonly perMinuteCap?: number; readonly dailyCap?: number },
  counts: { readonly minute: number; readonly day: number },
  recipients = 1,
) {
  const counted: string[] = [];
  const limits: RateLimit[] = [];
  const counting =
    (name: 'minute' | 'day') => async (_id: unknown, _now: number, demand: WindowDemand) => {
      counted.push(name);
      expect(demand.recipients).toBe(recipients);
      return { count: counts[name], fits: counts[name] <= demand.cap };
    };
  const rateWindows = {
    count: counting('minute'),
    countOfDay: counting('day'),
    countOfTests: unexpected('countOfTests'),
    countOfOrganization: unexpected('countOfOrganization'),
  };
  const run = () =>
    limitRate(buildApiKey(caps).apiKey, recipients, now, rateWindows, (limit) =>
      limits.push(limit),
    );
  return { run, counted, limits };
}

describe('a request of a key', () => {
  it.each([
    ['without a cap', {}, []],
    ['with a cap per minute', { perMinuteCap: 5 }, ['minute']],
    ['with a daily cap', { dailyCap: 5 }, ['day']],
    ['with both', { perMinuteCap: 5, dailyCap: 5 }, ['minute', 'day']],
  ])('%s is counted where there is a cap', async (_what, caps, expected) => {
    const { run, counted } = prepare(caps, { minute: 5, day: 5 });

    await run();

    expect(counted).toEqual(expected);
  });

  it('beyond the daily cap waits for the next day in UTC', async () => {
    const { run } = prepare({ dailyCap: 2_000 }, { minute: 0, day: 2_001 });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('rate_limited');
    expect(error.retryAfterSeconds).toBe(3_590);
    expect(error.message).toContain('2000 recipients a day');
  });

  it.each([
    [{ perMinuteCap: 10 }, 'may send to 10 recipients a minute, and this request has 51'],
    [{ dailyCap: 1 }, 'may send to 1 recipient a day (UTC), and this request has 51'],
  ])('with more recipients than the whole cap %j is not told to wait', async (caps, words) => {
    const { run } = prepare(caps, { minute: 100, day: 100 }, 51);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('recipients_exceed_cap');
    expect(error.retryAfterSeconds).toBeUndefined();
    expect(error.message).toContain(words);
  });

  it('beyond the cap of the minute does not count towards the day', async () => {
    const { run, counted } = prepare({ perMinuteCap: 5, dailyCap: 5 }, { minute: 6, day: 0 });

    const error = await serviceErrorOf(run);

    expect(error.retryAfterSeconds).toBe(50);
    expect(counted).toEqual(['minute']);
  });

  it('tells of the minute, whatever the day says', async () => {
    const { run, limits } = prepare({ perMinuteCap: 5, dailyCap: 5 }, { minute: 1, day: 6 });

    await serviceErrorOf(run);

    expect(limits).toMatchObject([{ limit: 5, remaining: 4 }]);
  });
});
