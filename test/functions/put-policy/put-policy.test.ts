import { describe, expect, it } from 'vitest';
import type { Policy } from '#shared/organizations/organization';
import { endpoint, endpoint as putPolicy } from '../../../functions/put-policy/put-policy.ts';
import { fakeCategoryStore } from '../../support/category-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { fakeOrganizationVersions } from '../../support/organization-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const manager = buildManager();
const bulk: Policy = { kind: 'bulk' };

function prepare(key: string, body: unknown, policies: Record<string, Policy> = {}) {
  const organization = buildOrganization({ id: manager.organizationId, policies });
  const { management, written } = fakeOrganizationVersions([organization]);
  const categories = fakeCategoryStore({
    get: async (_id, wanted) => (wanted === 'news' ? { key: 'news', name: 'News' } : undefined),
  });
  const writing = { ...manager, organizations: management.organizations, categories };
  const run = () =>
    putPolicy.run(
      { ...surroundings, ...manager, path: { key }, body: endpoint.body.parse(body) },
      writing,
    );
  return { run, written, organization };
}

describe('putPolicy', () => {
  it('stores a new policy beside the others, on behalf of the key', async () => {
    const body = { kind: 'bulk', categoryKey: 'news' };
    const { run, written } = prepare('letters', body, { offers: bulk });

    const policy = await run();

    expect(policy).toEqual({ key: 'letters', ...body, builtIn: false });
    expect(written[0]?.after.policies).toEqual({ offers: bulk, letters: body });
    expect(written[0]?.entry).toMatchObject({
      ...{ actor: manager.actor, action: 'policy.put', target: 'letters', after: body },
    });
    expect(written[0]?.entry).not.toHaveProperty('before');
  });

  it("stores a policy's tracking settings", async () => {
    const body = { kind: 'transactional', tracking: { opens: false, clicks: false } };
    const { run, written } = prepare('password-reset', body);

    expect(await run()).toMatchObject(body);
    expect(written[0]?.after.policies).toEqual({ 'password-reset': body });
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
    const { run, written } = prepare('letters', { kind: 'transactional' }, { letters: before });

    await run();

    expect(written[0]?.after.policies).toEqual({ letters: { kind: 'transactional' } });
    expect(written[0]?.entry).toMatchObject({ before, after: { kind: 'transactional' } });
  });

  it('writes nothing when the policy is unchanged', async () => {
    const { run, written } = prepare('offers', bulk, { offers: bulk });

    expect(await run()).toMatchObject({ key: 'offers', kind: 'bulk' });
    expect(written).toEqual([]);
  });

  it('refuses an unknown category', async () => {
    const { run, written } = prepare('letters', { kind: 'bulk', categoryKey: 'x' });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('validation_failed');
    expect(error.errors?.[0]?.path).toBe('categoryKey');
    expect(written).toEqual([]);
  });

  it('refuses one policy too many, and still replaces one of them', async () => {
    const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, bulk]));

    const error = await serviceErrorOf(prepare('p50', bulk, fifty).run);
    const { run, written } = prepare('p49', { kind: 'transactional' }, fifty);
    await run();

    expect(error.code).toBe('too_many_policies');
    expect(written).toHaveLength(1);
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
