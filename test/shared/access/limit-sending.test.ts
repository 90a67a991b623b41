import { describe, expect, it } from 'vitest';
import { limitKey, limitOrganization, refusalToStore } from '#shared/access/limit-sending';
import { dayNumberOf, minuteOf, rateSpanOf } from '#shared/access/rate-window';
import {
  countDayOfKey,
  countDayOfTests,
  countMinuteOfKey,
  countSpanOfOrganization,
} from '#shared/access/rate-window-store';
import type { RequestContext } from '#shared/access/request-context';
import { dayQuotaKey, organizationRateKey, rateDayKey, rateWindowKey } from '#shared/table/keys';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

/** Ten seconds after a full minute, and an hour before midnight UTC. */
const keyNow = Date.UTC(2026, 10, 21, 23, 0, 10);

/** A request of a key that has sent to so many in this minute and this day. */
async function prepareKey(
  caps: { readonly perMinuteCap?: number; readonly dailyCap?: number },
  before: { readonly minute?: number; readonly day?: number },
  recipients = 1,
) {
  const { table, items } = openMemoryTable();
  const { apiKey } = buildApiKey(caps);
  const context: Pick<RequestContext, 'rateLimit'> = {};
  const { minute = 0, day = 0 } = before;
  const demand = { recipients: minute, cap: 1_000_000 };
  if (minute > 0) await countMinuteOfKey(table, apiKey.id, keyNow, demand);
  if (day > 0) await countDayOfKey(table, apiKey.id, keyNow, day);
  const keys = {
    minute: rateWindowKey(apiKey.id, minuteOf(keyNow)),
    day: rateDayKey(apiKey.id, dayNumberOf(keyNow)),
  };
  const counted = (of: keyof typeof keys) =>
    items().find(({ pk, sk }) => pk === keys[of].pk && sk === keys[of].sk)?.['requests'];
  const run = () => limitKey(table, apiKey, recipients, keyNow, context);
  return { run, counted, context };
}

describe('a request with a key', () => {
  it.each([
    ['without a cap', {}, [undefined, undefined]],
    ['with a cap per minute', { perMinuteCap: 5 }, [5, undefined]],
    ['with a daily cap', { dailyCap: 5 }, [undefined, 5]],
    ['with both', { perMinuteCap: 5, dailyCap: 5 }, [5, 5]],
  ])('%s is counted where there is a cap', async (_what, caps, expected) => {
    const { run, counted } = await prepareKey(caps, {}, 5);

    await run();

    expect([counted('minute'), counted('day')]).toEqual(expected);
  });

  it('over the daily cap is asked to wait for the next day in UTC', async () => {
    const { run } = await prepareKey({ dailyCap: 2_000 }, { day: 2_000 });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('rate_limited');
    expect(error.retryAfterSeconds).toBe(3_590);
    expect(error.message).toContain('2000 recipients a day');
  });

  it.each([
    [{ perMinuteCap: 10 }, 'may send to 10 recipients a minute, and this request has 51'],
    [{ dailyCap: 1 }, 'may send to 1 recipient a day (UTC), and this request has 51'],
  ])("with more recipients than the whole cap %j isn't asked to wait", async (caps, words) => {
    const { run } = await prepareKey(caps, {}, 51);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('recipients_exceed_cap');
    expect(error.retryAfterSeconds).toBeUndefined();
    expect(error.message).toContain(words);
  });

  it("over the minute's cap doesn't count towards the day", async () => {
    const { run, counted } = await prepareKey({ perMinuteCap: 5, dailyCap: 5 }, { minute: 5 });

    const error = await serviceErrorOf(run);

    expect(error.retryAfterSeconds).toBe(50);
    expect(counted('day')).toBeUndefined();
  });

  it('reports the minute, whatever the day says', async () => {
    const { run, context } = await prepareKey({ perMinuteCap: 5, dailyCap: 5 }, { day: 5 });

    await serviceErrorOf(run);

    expect(context.rateLimit).toMatchObject({ limit: 5, remaining: 4 });
  });
});

/** Two seconds after the start of a ten-second period, and an hour before midnight UTC. */
const now = Date.UTC(2026, 10, 22, 23, 0, 2);
const id = newOrganizationId();

/** A request of an organization that has sent to so many in these ten seconds, or to so many in tests today. */
async function prepareOrganization(
  organization: Omit<Parameters<typeof limitOrganization>[0], 'id'>,
  before = 0,
  recipients = 1,
  mode: Parameters<typeof limitOrganization>[4] = {},
) {
  const { table, items } = openMemoryTable();
  const count = mode.test ? countDayOfTests : countSpanOfOrganization;
  if (before > 0) await count(table, id, now, before);
  const sending = { table, limitsOfDeployment: {} };
  const run = () => limitOrganization({ id, ...organization }, recipients, now, sending, mode);
  const counted = () => items().map(({ pk, sk, requests }) => ({ pk, sk, requests }));
  return { run, counted };
}

describe("an organization's sends", () => {
  it('cost no call without a rate limit', async () => {
    const { run, counted } = await prepareOrganization({
      dayUse: { day: '2026-11-22', recipients: 5_000, stored: 5_000 },
    });

    await run();

    expect(counted()).toEqual([]);
  });

  it("are refused until midnight when the day's recipients are used up", async () => {
    const limits = { recipientsPerDay: 100 };
    const { run } = await prepareOrganization({
      limits,
      dayUse: { day: '2026-11-22', recipients: 100, stored: 100 },
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('daily_recipients_exhausted');
    expect(error.retryAfterSeconds).toBe(3_598);
  });

  it.each([
    ['the limit is not reached', { day: '2026-11-22', recipients: 99, stored: 99 }],
    ['it was another day', { day: '2026-11-21', recipients: 5_000, stored: 5_000 }],
    ['nothing is noted', undefined],
  ])('are allowed when %s', async (_what, dayUse) => {
    const limits = { recipientsPerDay: 100 };
    const { run } = await prepareOrganization({ limits, ...(dayUse && { dayUse }) });

    await expect(run()).resolves.toBeUndefined();
  });

  it('are counted by recipients over ten seconds where the operator set a rate', async () => {
    const { run, counted } = await prepareOrganization({ limits: { sendsPerSecond: 5 } }, 49, 40);

    await run();

    expect(counted()).toEqual([{ ...organizationRateKey(id, rateSpanOf(now)), requests: 89 }]);
  });

  it('are refused until the ten seconds are over when they are used up', async () => {
    const { run } = await prepareOrganization({ limits: { sendsPerSecond: 5 } }, 50);

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
    const { run, counted } = await prepareOrganization({ limits, dayUse }, 99, 7, { test: true });

    await run();

    expect(counted()).toEqual([{ ...dayQuotaKey(id, 'TESTS', dayNumberOf(now)), requests: 106 }]);
  });

  it('are refused once that is used up', async () => {
    const { run } = await prepareOrganization({ limits, dayUse }, 100, 1, { test: true });

    expect((await serviceErrorOf(run)).code).toBe('daily_recipients_exhausted');
  });
});
