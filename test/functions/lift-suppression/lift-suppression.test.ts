import { describe, expect, it } from 'vitest';
import type { SuppressionReason } from '#shared/contacts/contact';
import { endpoint } from '../../../functions/lift-suppression/lift-suppression.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import {
  openSuppressionAccount,
  type SuppressionAccount,
} from '../../support/suppression-account.ts';

const run = (account: SuppressionAccount, query: object = {}, email = 'Ann@Example.com') =>
  endpoint.run({ ...account, path: { email }, query: endpoint.query.parse(query) }, account);

async function openSuppressed(...reasons: readonly SuppressionReason[]) {
  const account = await openSuppressionAccount();
  for (const reason of reasons) {
    if (reason === 'bounce' || reason === 'complaint') await account.suppressByEvent(reason);
    else await account.suppress(reason);
  }
  return account;
}

describe('liftSuppression', () => {
  it('lifts every reason except the person’s own unsubscription, and returns what remains', async () => {
    const account = await openSuppressed('bounce', 'complaint', 'manual', 'unsubscribe');

    expect(await run(account)).toEqual({
      lifted: ['bounce', 'complaint', 'manual'],
      remaining: ['unsubscribe'],
      providerList: 'removed',
    });
    expect(await account.suppressionsOf()).toMatchObject([{ reason: 'unsubscribe' }]);
  });

  it.each(['bounce', 'unsubscribe'] as const)(
    'lifts only the requested reason: %s',
    async (reason) => {
      const account = await openSuppressed('bounce', 'unsubscribe');

      expect((await run(account, { reason })).lifted).toEqual([reason]);

      const left = await account.suppressionsOf();
      expect(left.map((one) => one.reason)).toEqual(
        ['bounce', 'unsubscribe'].filter((one) => one !== reason),
      );
    },
  );

  it.each([
    { present: [], query: {} },
    { present: ['unsubscribe'] as const, query: {} },
    { present: ['bounce'] as const, query: { reason: 'complaint' } },
  ])('finds nothing to lift for $query among $present', async ({ present, query }) => {
    const account = await openSuppressed(...present);

    expect((await serviceErrorOf(() => run(account, query))).code).toBe('suppression_not_found');
  });

  it('rejects an invalid address', async () => {
    const account = await openSuppressed('bounce');

    const error = await serviceErrorOf(() => run(account, {}, 'nobody'));

    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'email' }] });
  });
});

describe('a lift whose process dies', () => {
  const die = async () => {
    throw new Error('died');
  };

  it.each<[string, (account: SuppressionAccount) => void]>([
    [
      'before SES is asked',
      ({ onProvider }) => {
        onProvider.before = die;
      },
    ],
    ['after SES was asked, before the write', ({ beforeNextWrite }) => beforeNextWrite(die)],
  ])('%s leaves the address suppressed here, and a repetition completes it', async (_, doom) => {
    const account = await openSuppressed('bounce');
    doom(account);

    await expect(run(account)).rejects.toThrow('died');

    // Off SES's list but still suppressed here, never the other way round.
    expect(await account.suppressionsOf()).toHaveLength(1);
    expect(await account.audit()).toEqual([]);
    account.onProvider.before = async () => {};
    await run(account);
    expect(await account.suppressionsOf()).toEqual([]);
    expect([...account.listed]).toEqual([]);
    expect(await account.audit()).toHaveLength(1);
  });

  it('after the write has lifted it: a repetition finds nothing to lift', async () => {
    const account = await openSuppressed('bounce');

    await expect(run({ ...account, wakeQueue: die })).rejects.toThrow('died');

    expect((await serviceErrorOf(() => run(account))).code).toBe('suppression_not_found');
    expect([...account.listed]).toEqual([]);
    expect(await account.audit()).toHaveLength(1);
  });
});
