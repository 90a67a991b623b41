import { describe, expect, it } from 'vitest';
import { getPolicy } from '../../../functions/get-policy/get-policy.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';

const manager = buildManager();
const organization = buildOrganization({
  id: manager.organizationId,
  policies: { news: { kind: 'bulk', categoryKey: 'news' } },
});
const stores = { ...manager, organizations: { get: async () => organization } };

describe('getPolicy', () => {
  it.each([
    ['news', { key: 'news', kind: 'bulk', categoryKey: 'news', builtIn: false }],
    ['bulk', { key: 'bulk', kind: 'bulk', builtIn: true }],
  ])('reads %s', async (key, expected) => {
    expect(await getPolicy(manager.credential, key, stores)).toEqual(expected);
  });

  it.each([undefined, '', 'nope', '__proto__', 'constructor'])('does not find %j', async (key) => {
    const error = await serviceErrorOf(() => getPolicy(manager.credential, key, stores));

    expect(error.code).toBe('policy_not_found');
  });

  it('tells nothing to who may not manage the organization', async () => {
    const organizations = { get: unexpected('organizations.get') };

    const refusals = await refusalsOf((credential, authentication) =>
      getPolicy(credential, 'news', { ...authentication, organizations }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
