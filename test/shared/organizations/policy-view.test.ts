import { describe, expect, it } from 'vitest';
import { policyViewOf, policyViewsOf } from '#shared/organizations/policy-view';
import { buildOrganization } from '../../support/organization-builder.ts';

const organization = buildOrganization({
  policies: { news: { kind: 'bulk', categoryKey: 'news' }, bulk: { kind: 'bulk' } },
});

describe('policyViewsOf', () => {
  it('lists every policy that a send may name, and marks the built-in ones', () => {
    expect(policyViewsOf(organization)).toEqual([
      { key: 'news', kind: 'bulk', categoryKey: 'news', builtIn: false },
      { key: 'bulk', kind: 'bulk', builtIn: false },
      { key: 'transactional', kind: 'transactional', builtIn: true },
    ]);
  });
});

describe('policyViewOf', () => {
  it.each(['', 'nope', '__proto__', 'constructor'])('finds no policy %j', (key) => {
    expect(policyViewOf(organization, key)).toBeUndefined();
  });
});
