import { describe, expect, it } from 'vitest';
import { listPolicies } from '../../../functions/list-policies/list-policies.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';

const manager = buildManager();

describe('listPolicies', () => {
  it('lists what a send may name, and says what is built in', async () => {
    const organization = buildOrganization({
      id: manager.organizationId,
      policies: { news: { kind: 'bulk', categoryKey: 'news' }, bulk: { kind: 'bulk' } },
    });
    const organizations = { get: async () => organization };

    expect(await listPolicies(manager.credential, { ...manager, organizations })).toEqual([
      { key: 'news', kind: 'bulk', categoryKey: 'news', builtIn: false },
      { key: 'bulk', kind: 'bulk', builtIn: false },
      { key: 'transactional', kind: 'transactional', builtIn: true },
    ]);
  });

  it('refuses a key whose organization was deleted a moment ago', async () => {
    const organizations = { get: async () => undefined };
    const run = () => listPolicies(manager.credential, { ...manager, organizations });

    expect((await serviceErrorOf(run)).code).toBe('invalid_api_key');
  });

  it('tells nothing to who may not manage the organization', async () => {
    const organizations = { get: unexpected('organizations.get') };

    const refusals = await refusalsOf((credential, authentication) =>
      listPolicies(credential, { ...authentication, organizations }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
