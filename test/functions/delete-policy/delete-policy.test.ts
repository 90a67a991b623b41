import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { deletePolicy } from '../../../functions/delete-policy/delete-policy.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { fakeOrganizationVersions } from '../../support/organization-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';

const manager = buildManager();
const policies = { news: { kind: 'bulk' }, bulk: { kind: 'bulk', categoryKey: 'news' } } as const;

function prepare(key: string | undefined, overrides: Partial<Organization> = {}) {
  const organization = buildOrganization({ id: manager.organizationId, policies, ...overrides });
  const { management, written } = fakeOrganizationVersions([organization]);
  const stores = { ...manager, policies: management.organizations };
  return { run: () => deletePolicy(manager.credential, key, stores), written };
}

describe('deletePolicy', () => {
  it('takes one policy away, and says so in the audit', async () => {
    const { run, written } = prepare('news');

    await run();

    expect(written[0]?.after.policies).toEqual({ bulk: policies.bulk });
    expect(written[0]?.entry).toMatchObject({
      ...{ actor: manager.actor, action: 'policy.deleted', target: 'news' },
      before: policies.news,
    });
  });

  it.each([undefined, 'nope', 'transactional', 'constructor'])(
    'finds no policy %j of the organization',
    async (key) => {
      const { run, written } = prepare(key);

      expect((await serviceErrorOf(run)).code).toBe('policy_not_found');
      expect(written).toEqual([]);
    },
  );

  it('keeps the default policy, unless a built-in one comes in its place', async () => {
    const asDefault = prepare('news', { defaultPolicyKey: 'news' });
    const inPlace = prepare('bulk', { defaultPolicyKey: 'bulk' });

    expect((await serviceErrorOf(asDefault.run)).code).toBe('policy_in_use');
    await inPlace.run();

    expect(asDefault.written).toEqual([]);
    expect(inPlace.written).toHaveLength(1);
  });

  it('does nothing for who may not manage the organization', async () => {
    const refusals = await refusalsOf((credential, authentication) =>
      deletePolicy(credential, 'news', {
        ...authentication,
        policies: { get: unexpected('policies.get'), replace: unexpected('policies.replace') },
      }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
