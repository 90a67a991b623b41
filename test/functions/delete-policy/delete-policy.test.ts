import { describe, expect, it } from 'vitest';
import { endpoint as deletePolicy } from '../../../functions/delete-policy/delete-policy.ts';
import { type Account, openAccount } from '../../support/account.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const policies = { news: { kind: 'bulk' }, bulk: { kind: 'bulk', categoryKey: 'news' } } as const;

const remove = (account: Account, key: string) =>
  deletePolicy.run({ ...surroundings, caller: account.caller, path: { key } }, account);

describe('deletePolicy', () => {
  it('removes one policy, and audits it', async () => {
    const account = await openAccount({ policies });

    await remove(account, 'news');

    expect((await account.stored())?.policies).toEqual({ bulk: policies.bulk });
    expect(await account.audit()).toEqual([
      expect.objectContaining({
        ...{ actor: account.apiKey.id, action: 'policy.deleted', target: 'news' },
        before: policies.news,
      }),
    ]);
  });

  it.each(['', 'nope', 'transactional', 'constructor'])(
    "doesn't find %j among the organization’s own policies",
    async (key) => {
      const account = await openAccount({ policies });

      expect((await serviceErrorOf(() => remove(account, key))).code).toBe('policy_not_found');
      expect((await account.stored())?.policies).toEqual(policies);
    },
  );

  it('keeps the default policy, unless a built-in one replaces it', async () => {
    const asDefault = await openAccount({ policies, defaultPolicyKey: 'news' });
    const inPlace = await openAccount({ policies, defaultPolicyKey: 'bulk' });

    const error = await serviceErrorOf(() => remove(asDefault, 'news'));
    await remove(inPlace, 'bulk');

    expect(error.code).toBe('policy_in_use');
    expect((await asDefault.stored())?.policies).toEqual(policies);
    expect((await inPlace.stored())?.policies).toEqual({ news: policies.news });
  });
});
