import { describe, expect, it } from 'vitest';
import { findPolicy, organizationSchema, type Policy } from '#shared/organizations/organization';
import { buildOrganization } from '../../support/organization-builder.ts';

describe('findPolicy', () => {
  it.each(['transactional', 'bulk'])('finds the built-in policy %s', (kind) => {
    expect(findPolicy(buildOrganization(), kind)).toEqual({ kind });
  });

  it("finds the organization's own policy", () => {
    const news: Policy = { kind: 'bulk', categoryKey: 'news' };
    const organization = buildOrganization({ policies: { news } });

    expect(findPolicy(organization, 'news')).toEqual(news);
  });

  it("prefers the organization's own policy to the built-in one of its name", () => {
    const own: Policy = { kind: 'bulk', categoryKey: 'receipts' };
    const organization = buildOrganization({ policies: { transactional: own } });

    expect(findPolicy(organization, 'transactional')).toEqual(own);
  });

  it.each([
    'nothing-of-the-kind',
    '',
    'Transactional',
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'toString',
  ])('finds no policy of the name %j', (key) => {
    expect(findPolicy(buildOrganization(), key)).toBeUndefined();
  });

  it('does not take a policy from the prototype of what was stored', () => {
    const stored = JSON.parse(
      JSON.stringify(buildOrganization()).replace(
        '"policies":{}',
        '"policies":{"__proto__":{"kind":"bulk"}}',
      ),
    );

    const organization = organizationSchema.parse(stored);

    expect(findPolicy(organization, 'kind')).toBeUndefined();
    expect(findPolicy(organization, 'transactional')).toEqual({ kind: 'transactional' });
  });
});

describe('an organization', () => {
  it('may keep its sends for a number of days of its own', () => {
    const organization = buildOrganization({ sendRetentionDays: 30 });

    expect(organizationSchema.parse(organization)).toEqual(organization);
  });

  it.each([0, -1, 1.5, '30'])('does not keep them for %j days', (sendRetentionDays) => {
    const stored = { ...buildOrganization(), sendRetentionDays };

    expect(organizationSchema.safeParse(stored).success).toBe(false);
  });
});
