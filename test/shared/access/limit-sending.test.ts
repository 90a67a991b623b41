import { describe, expect, it } from 'vitest';
import { limitKey, limitOrganization, refusalToStore } from '#shared/access/limit-sending';
import type { RateLimit } from '#shared/access/rate-window';
import type { Room, WindowDemand } from '#shared/access/rate-window-store';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';

/** Ten seconds after a full minute, and an hour before midnight UTC. */
const keyNow = Date.UTC(2026, 10, 21, 23, 0, 10);

function prepareKey(
  caps: { readonly perMinuteCap?: number; readonly dailyCap?: number },
  counts: { readonly minute: number; readonly day: number },
  recipients = 1,
) {
  const counted: string[] = [];
  const limits: RateLimit[] = [];
  const rateWindows = {
    count: async (_id: unknown, _now: number, demand: WindowDemand) => {
      counted.push('minute');
      expect(demand.recipients).toBe(recipients);
      return { count: counts.minute, fits: counts.minute <= demand.cap };
    },
    countOfDay: async (_id: unknown, _now: number, added: number, room?: Room) => {
      counted.push('day');
      expect(added).toBe(recipients);
      const before = counts.day - added;
      return room !== undefined && before > room.most ? Infinity : before;
    },
    countOfTests: unexpected('countOfTests'),
    countOfOrganization: unexpected('countOfOrganization'),
  };
  const run = () =>
    limitKey(buildApiKey(caps).apiKey, recipients, keyNow, rateWindows, (limit) =>
      limits.push(limit),
    );
  return { run, counted, limits };
}

describe('a request with a key', () => {
  it.each([
    ['without a cap', {}, []],
    ['with a cap per minute', { perMinuteCap: 5 }, ['minute']],
    ['with a daily cap', { dailyCap: 5 }, ['day']],
    ['with both', { perMinuteCap: 5, dailyCap: 5 }, ['minute', 'day']],
  ])('%s is counted where there is a cap', async (_what, caps, expected) => {
    const { run, counted } = prepareKey(caps, { minute: 5, day: 5 });

    await run();

    expect(counted).toEqual(expected);
  });

  it('over the daily cap is asked to wait for the next day in UTC', async () => {
    const { run } = prepareKey({ dailyCap: 2_000 }, { minute: 0, day: 2_001 });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('rate_limited');
    expect(error.retryAfterSeconds).toBe(3_590);
    expect(error.message).toContain('2000 recipients a day');
  });

  it.each([
    [{ perMinuteCap: 10 }, 'may send to 10 recipients a minute, and this request has 51'],
    [{ dailyCap: 1 }, 'may send to 1 recipient a day (UTC), and this request has 51'],
  ])("with more recipients than the whole cap %j isn't asked to wait", async (caps, words) => {
    const { run } = prepareKey(caps, { minute: 100, day: 100 }, 51);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('recipients_exceed_cap');
    expect(error.retryAfterSeconds).toBeUndefined();
    expect(error.message).toContain(words);
  });

  it("over the minute's cap doesn't count towards the day", async () => {
    const { run, counted } = prepareKey({ perMinuteCap: 5, dailyCap: 5 }, { minute: 6, day: 0 });

    const error = await serviceErrorOf(run);

    expect(error.retryAfterSeconds).toBe(50);
    expect(counted).toEqual(['minute']);
  });

  it('reports the minute, whatever the day says', async () => {
    const { run, limits } = prepareKey({ perMinuteCap: 5, dailyCap: 5 }, { minute: 1, day: 6 });

    await serviceErrorOf(run);

    expect(limits).toMatchObject([{ limit: 5, remaining: 4 }]);
  });
});

/** Two seconds after the start of a ten-second period, and an hour before midnight UTC. */
const now = Date.UTC(2026, 10, 22, 23, 0, 2);
const id = newOrganizationId();

function prepareOrganization(
  organization: Omit<Parameters<typeof limitOrganization>[0], 'id'>,
  before = 0,
  recipients = 1,
  mode: Parameters<typeof limitOrganization>[4] = {},
) {
  const counted: unknown[] = [];
  const rateWindows = {
    count: unexpected('count'),
    countOfDay: unexpected('countOfDay'),
    countOfTests: async (...args: readonly unknown[]) => {
      counted.push(['test', ...args]);
      return before;
    },
    countOfOrganization: async (...args: readonly unknown[]) => {
      counted.push(args);
      return before;
    },
  };
  const sending = { rateWindows, limitsOfDeployment: {} };
  const run = () => limitOrganization({ id, ...organization }, recipients, now, sending, mode);
  return { run, counted };
}

describe("an organization's sends", () => {
  it('cost no call without a rate limit', async () => {
    const { run, counted } = prepareOrganization({
      dayUse: { day: '2026-11-22', recipients: 5_000, stored: 5_000 },
    });

    await run();

    expect(counted).toEqual([]);
  });

  it("are refused until midnight when the day's recipients are used up", async () => {
    const limits = { recipientsPerDay: 100 };
    const { run } = prepareOrganization({
      limits,
      dayUse: { day: '2026-11-22', recipients: 100, stored: 100 },
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('daily_recipients_exhausted');
    expect(error.retryAfterSeconds).toBe(3_598);
  });

  it.each([
    ['there is room', { day: '2026-11-22', recipients: 99, stored: 99 }],
    ['it was another day', { day: '2026-11-21', recipients: 5_000, stored: 5_000 }],
    ['nothing is noted', undefined],
  ])('are allowed when %s', async (_what, dayUse) => {
    const limits = { recipientsPerDay: 100 };
    const { run } = prepareOrganization({ limits, ...(dayUse && { dayUse }) });

    await expect(run()).resolves.toBeUndefined();
  });

  it('are counted by recipients over ten seconds where the operator set a rate', async () => {
    const { run, counted } = prepareOrganization({ limits: { sendsPerSecond: 5 } }, 49, 40);

    await run();

    expect(counted).toEqual([[id, now, 40, undefined]]);
  });

  it('are refused until the ten seconds are over when they are used up', async () => {
    const { run } = prepareOrganization({ limits: { sendsPerSecond: 5 } }, 50);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('organization_rate_limited');
    expect(error.retryAfterSeconds).toBe(8);
  });
});

describe("an organization's stored sends", () => {
  const limits = { recipientsPerDay: 100 };
  const sending = { limitsOfDeployment: {} };
  const refusal = (
    stored: number,
    before: number,
    mode: { readonly test?: true } = {},
    day = '2026-11-22',
  ) =>
    refusalToStore(
      { id, limits, dayUse: { day, recipients: 0, stored } },
      before,
      now,
      sending,
      mode,
    );

  it('are limited to as many a day as it may have recipients, delivered or not', () => {
    expect(refusal(99, 0)).toBeUndefined();
    expect(refusal(100, 0)).toMatchObject({
      code: 'daily_recipients_exhausted',
      retryAfterSeconds: 3_598,
    });
  });

  it('include those of the same request', () => {
    expect(refusal(90, 9)).toBeUndefined();
    expect(refusal(90, 10)?.code).toBe('daily_recipients_exhausted');
  });

  it('are allowed again on another day', () => {
    expect(refusal(100, 0, {}, '2026-11-21')).toBeUndefined();
  });

  it("don't count test emails, which have a daily limit of their own", () => {
    expect(refusal(100, 0, { test: true })).toBeUndefined();
  });
});

describe("an organization's test emails", () => {
  const limits = { recipientsPerDay: 100, sendsPerSecond: 1 };
  const dayUse = { day: '2026-11-22', recipients: 5_000, stored: 5_000 };

  it('have a daily limit of their own, whatever else is sent', async () => {
    const { run, counted } = prepareOrganization({ limits, dayUse }, 99, 7, { test: true });

    await run();

    expect(counted).toEqual([['test', id, now, 7, undefined]]);
  });

  it('are refused once that is used up', async () => {
    const { run } = prepareOrganization({ limits, dayUse }, 100, 1, { test: true });

    expect((await serviceErrorOf(run)).code).toBe('daily_recipients_exhausted');
  });
});
