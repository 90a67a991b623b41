import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { endpoint as deletePolicy } from '../../../functions/delete-policy/delete-policy.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { fakeOrganizationVersions } from '../../support/organization-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const manager = buildManager();
const policies = { news: { kind: 'bulk' }, bulk: { kind: 'bulk', categoryKey: 'news' } } as const;

function prepare(key: string, overrides: Partial<Organization> = {}) {
  const organization = buildOrganization({ id: manager.organizationId, policies, ...overrides });
  const { management, written } = fakeOrganizationVersions([organization]);
  const request = { caller: manager.caller, path: { key } };
  return { run: () => deletePolicy.run({ ...surroundings, ...request }, management), written };
}

describe('deletePolicy', () => {
  it('removes one policy, and audits it', async () => {
    const { run, written } = prepare('news');

    await run();

    expect(written[0]?.after.policies).toEqual({ bulk: policies.bulk });
    expect(written[0]?.entry).toMatchObject({
      ...{ actor: manager.actor, action: 'policy.deleted', target: 'news' },
      before: policies.news,
    });
  });

  it.each(['', 'nope', 'transactional', 'constructor'])(
    "doesn't find %j among the organization’s own policies",
    async (key) => {
      const { run, written } = prepare(key);

      expect((await serviceErrorOf(run)).code).toBe('policy_not_found');
      expect(written).toEqual([]);
    },
  );

  it('keeps the default policy, unless a built-in one replaces it', async () => {
    const asDefault = prepare('news', { defaultPolicyKey: 'news' });
    const inPlace = prepare('bulk', { defaultPolicyKey: 'bulk' });

    expect((await serviceErrorOf(asDefault.run)).code).toBe('policy_in_use');
    await inPlace.run();

    expect(asDefault.written).toEqual([]);
    expect(inPlace.written).toHaveLength(1);
  });
});
