import { describe, expect, it } from 'vitest';
import { policyViewOf, policyViewsOf } from '#shared/organizations/policy-view';
import { buildOrganization } from '../../support/organization-builder.ts';

const organization = buildOrganization({
  policies: { news: { kind: 'bulk', categoryKey: 'news' }, bulk: { kind: 'bulk' } },
});

describe('the policies of an organization', () => {
  it('are all that a send may name, with a mark on the built-in ones', () => {
    expect(policyViewsOf(organization)).toEqual([
      { key: 'news', kind: 'bulk', categoryKey: 'news', builtIn: false },
      { key: 'bulk', kind: 'bulk', builtIn: false },
      { key: 'transactional', kind: 'transactional', builtIn: true },
    ]);
  });

  it('have no view of one that is not there', () => {
    expect(policyViewOf(organization, 'nope')).toBeUndefined();
  });
});
