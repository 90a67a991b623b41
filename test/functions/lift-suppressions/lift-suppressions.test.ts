import { describe, expect, it } from 'vitest';
import { workBudgetMs } from '#shared/config/work-budget';
import { ServiceError } from '#shared/errors/service-error';
import {
  endpoint,
  liftSuppressions,
} from '../../../functions/lift-suppressions/lift-suppressions.ts';
import { placeOf } from '../../support/cursor-reader.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import {
  openSuppressionAccount,
  type SuppressionAccount,
} from '../../support/suppression-account.ts';

const diagnostic = '550 5.7.26 unauthenticated sender';
const emailAt = (at: number) => `p${at}@example.com`;

/** An account with a bounce at each of these times. */
async function openBounced(...times: readonly number[]) {
  const account = await openSuppressionAccount();
  for (const at of times) {
    await account.suppressByEvent('bounce', { at, diagnostic }, emailAt(at));
  }
  return account;
}

const timesFrom = (newest: number, count: number) =>
  Array.from({ length: count }, (_, index) => newest - index);

const run = (account: SuppressionAccount, fields: object = {}) =>
  liftSuppressions(
    {
      caller: account.caller,
      body: endpoint.body.parse({ from: 0, until: 10_000, ...fields }),
    },
    account,
  );

const timesLeft = async (account: SuppressionAccount) => (await account.all()).map(({ at }) => at);

const throttled = () => new ServiceError('provider_throttled', 'too fast');

describe('liftSuppressions', () => {
  it('lifts nothing by default, and shows what it would lift', async () => {
    const account = await openBounced(1_000, 2_000);

    const result = await run(account);

    expect(result).toMatchObject({ dryRun: true, matched: 2, lifted: 0, nextCursor: null });
    expect(result.examples.map(({ email }) => email)).toEqual([emailAt(2_000), emailAt(1_000)]);
    expect(await timesLeft(account)).toEqual([2_000, 1_000]);
  });

  it('lifts only what is in the period and contains the words', async () => {
    const account = await openBounced(10_000, 2_000, 999);
    const { suppress, suppressByEvent } = account;
    await suppressByEvent('bounce', { at: 3_000, diagnostic: 'SPF Unauthenticated' }, 'a@x.org');
    await suppressByEvent('bounce', { at: 4_000, diagnostic: '5.1.1 user unknown' }, 'b@x.org');
    await suppress('manual', { at: 5_000, diagnostic: 'unauthenticated' });

    const fields = { from: 1_000, diagnostic: 'UNAUTHENTICATED', dryRun: false };
    const result = await run(account, fields);

    expect(result).toMatchObject({ matched: 2, lifted: 2, removedFromProviderList: 2 });
    expect(await timesLeft(account)).toEqual([10_000, 5_000, 4_000, 999]);
    expect(account.listed).toEqual(new Set([emailAt(10_000), emailAt(999), 'b@x.org']));
  });

  it('lifts the given reason of an address and leaves its others', async () => {
    const account = await openSuppressionAccount();
    await account.suppress('manual', { at: 1_000 });
    await account.suppress('bounce', { at: 2_000 });

    const result = await run(account, { reason: 'bounce', dryRun: false });

    expect(result).toMatchObject({ matched: 1, lifted: 1 });
    expect(await account.suppressionsOf()).toMatchObject([{ reason: 'manual' }]);
  });

  it('ends in time, and returns where to continue', async () => {
    const account = await openBounced(...timesFrom(9_000, 20));
    const fourth = (await account.all())[3];
    account.onProvider.before = async () => {
      account.clock.at += workBudgetMs / 4;
    };

    const first = await run(account, { dryRun: false });

    expect(first).toMatchObject({ matched: 20, lifted: 4 });
    expect(placeOf(first.nextCursor)).toBe(fourth?.position);
  });

  it("doesn't count an address that another request lifts in between", async () => {
    const account = await openBounced(1_000, 2_000);
    account.onProvider.before = ([email]) => account.liftElsewhere('bounce', email);

    const result = await run(account, { dryRun: false });

    expect(result).toMatchObject({ matched: 2, lifted: 0, nextCursor: null });
  });

  it('retries a lift that SES throttles until it succeeds', async () => {
    const account = await openBounced(1_000);
    let calls = 0;
    account.onProvider.before = async () => {
      calls += 1;
      if (calls < 3) throw throttled();
    };

    const result = await run(account, { dryRun: false });

    expect(result).toMatchObject({ lifted: 1, removedFromProviderList: 1, nextCursor: null });
    expect(await timesLeft(account)).toEqual([]);
  });

  it('reports that SES throttles when nothing succeeded in time', async () => {
    const account = await openBounced(1_000);
    account.onProvider.before = async () => {
      account.clock.at += workBudgetMs;
      throw throttled();
    };

    const error = await serviceErrorOf(() => run(account, { dryRun: false }));

    expect(error.code).toBe('provider_throttled');
  });

  it("doesn't end while SES throttles one of the first, even if others were lifted", async () => {
    const account = await openBounced(...timesFrom(9_000, 6));
    account.onProvider.before = async ([email]) => {
      if (email !== emailAt(8_999)) return;
      account.clock.at += workBudgetMs;
      throw throttled();
    };

    const first = await run(account, { dryRun: false });
    account.onProvider.before = async () => {};
    const cursor = first.nextCursor;
    const second = await run(account, { dryRun: false, ...(cursor !== null && { cursor }) });

    expect(first).toMatchObject({ matched: 6, lifted: 3 });
    expect(cursor).not.toBeNull();
    expect(second).toMatchObject({ matched: 3, lifted: 3, nextCursor: null });
    expect(await timesLeft(account)).toEqual([]);
  });

  it('repeats a later page from its start when SES throttles its first ones', async () => {
    const account = await openBounced(...timesFrom(9_000, 8));
    account.onProvider.before = async ([email]) => {
      const isLast = email === emailAt(8_993);
      if (email === emailAt(8_997) || isLast) account.clock.at += workBudgetMs;
      if (isLast) throw throttled();
    };
    const first = await run(account, { dryRun: false });

    const second = await run(account, { dryRun: false, cursor: first.nextCursor });

    expect(second).toMatchObject({ matched: 4, lifted: 3, nextCursor: first.nextCursor });
  });
});
