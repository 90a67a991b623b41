import { describe, expect, it } from 'vitest';
import type { Policy } from '#shared/organizations/organization';
import { putCategory } from '#shared/preferences/category-store';
import { endpoint, endpoint as putPolicy } from '../../../functions/put-policy/put-policy.ts';
import { openAccount } from '../../support/account.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const bulk: Policy = { kind: 'bulk' };

async function openPolicies(policies: Record<string, Policy> = {}) {
  const account = await openAccount({ policies });
  await putCategory(account.table, account.organizationId, { key: 'news', name: 'News' });
  return {
    ...account,
    put: (key: string, body: unknown) =>
      putPolicy.run(
        {
          ...surroundings,
          caller: account.caller,
          path: { key },
          body: endpoint.body.parse(body),
        },
        account,
      ),
    policies: async () => (await account.stored())?.policies,
  };
}

describe('putPolicy', () => {
  it('stores a new policy beside the others, on behalf of the key', async () => {
    const account = await openPolicies({ offers: bulk });
    const body = { kind: 'bulk', categoryKey: 'news' };

    const policy = await account.put('letters', body);

    const [entry, ...others] = await account.audit();
    expect(policy).toEqual({ key: 'letters', ...body, builtIn: false });
    expect(await account.policies()).toEqual({ offers: bulk, letters: body });
    expect(entry).toMatchObject({
      ...{ actor: account.apiKey.id, action: 'policy.put', target: 'letters', after: body },
    });
    expect(entry).not.toHaveProperty('before');
    expect(others).toEqual([]);
  });

  it("stores a policy's tracking settings", async () => {
    const account = await openPolicies();
    const body = { kind: 'transactional', tracking: { opens: false, clicks: false } };

    expect(await account.put('password-reset', body)).toMatchObject(body);
    expect(await account.policies()).toEqual({ 'password-reset': body });
  });

  it.each([
    ['tracking', true],
    ['tracking.opens', { opens: 'off' }],
    ['tracking', { open: false }],
    ['tracking', null],
  ])('rejects at %s the tracking %j', (path, tracking) => {
    const parsed = endpoint.body.safeParse({ kind: 'bulk', tracking });

    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  });

  it('replaces a policy as a whole', async () => {
    const before: Policy = { kind: 'bulk', categoryKey: 'news' };
    const account = await openPolicies({ letters: before });

    await account.put('letters', { kind: 'transactional' });

    expect(await account.policies()).toEqual({ letters: { kind: 'transactional' } });
    expect(await account.audit()).toMatchObject([{ before, after: { kind: 'transactional' } }]);
  });

  it('audits nothing when the policy is unchanged', async () => {
    const account = await openPolicies({ offers: bulk });

    expect(await account.put('offers', bulk)).toMatchObject({ key: 'offers', kind: 'bulk' });
    expect(await account.stored()).toEqual(account.organization);
    expect(await account.audit()).toEqual([]);
  });

  it('refuses an unknown category', async () => {
    const account = await openPolicies();

    const error = await serviceErrorOf(() =>
      account.put('letters', { kind: 'bulk', categoryKey: 'x' }),
    );

    expect(error.code).toBe('validation_failed');
    expect(error.errors?.[0]?.path).toBe('categoryKey');
    expect(await account.policies()).toEqual({});
  });

  it('refuses one policy too many, and still replaces one of them', async () => {
    const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, bulk]));
    const account = await openPolicies(fifty);

    const error = await serviceErrorOf(() => account.put('p50', bulk));
    await account.put('p49', { kind: 'transactional' });

    expect(error.code).toBe('too_many_policies');
    expect(await account.policies()).toEqual({ ...fifty, p49: { kind: 'transactional' } });
  });
});

describe('the request', () => {
  it.each([
    {},
    { kind: 'other' },
    { kind: 'bulk', category: 'news' },
    { kind: 'bulk', categoryKey: null },
    { kind: 'bulk', categoryKey: 'No Key' },
  ])('is refused as %o', (body) => {
    expect(endpoint.body.safeParse(body).success).toBe(false);
  });
  it.each(['__proto__', 'News', 'no key'])('is refused for the key %s', (key) => {
    expect(endpoint.path.safeParse({ key }).success).toBe(false);
  });
});
