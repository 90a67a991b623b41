import { describe, expect, it } from 'vitest';
import {
  activeDomainsOf,
  findPolicy,
  type Organization,
  organizationSchema,
  type Policy,
} from '#shared/organizations/organization';
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

describe('the active domains of an organization', () => {
  const entry = (domain: string, status: 'active' | 'pending') => ({
    domain,
    fromEmail: `hello@${domain}`,
    status,
  });

  it('are the default first, then the others', () => {
    const domains = [entry('a.example', 'active'), entry('c.example', 'pending')];
    const identity = entry('b.example', 'active');

    expect(activeDomainsOf({ identity, domains })).toEqual(['b.example', 'a.example']);
  });

  it('are those of before there were several', () => {
    expect(activeDomainsOf({ identity: entry('b.example', 'active') })).toEqual(['b.example']);
    expect(activeDomainsOf({ identity: entry('b.example', 'pending') })).toEqual([]);
    expect(activeDomainsOf({})).toEqual([]);
  });
});

describe('an organization', () => {
  it('is read with every field that was stored', () => {
    const organization: Required<Organization> = {
      ...buildOrganization(),
      identity: { domain: 'example.com', fromEmail: 'hello@example.com', status: 'pending' },
      domains: [{ domain: 'b.example', fromEmail: 'hello@b.example', status: 'active' }],
      domainsVersion: 2,
      linksDisabled: true,
      linkDomain: 'links.shop.example',
      formerLinkDomains: ['old.shop.example'],
      senderName: 'Example',
      replyTo: 'answers@example.com',
      noticeEmail: 'ops@example.com',
      noticeEmailState: 'confirmed',
      noticeEmailVersion: 'v1',
      tenant: { sending: 'paused', reason: 'Bounces' },
      footerText: 'Example Ltd, 1 Example Street',
      unsubscribePageUrl: 'https://example.com/unsubscribe',
      tracking: { opens: false },
      transactionalUnsubscribe: false,
      keylessReading: false,
      preferencesByAddress: false,
      keepRefusedShapes: true,
      sendRetentionDays: 30,
      keepContentDays: 7,
      defaultPolicyKey: 'news',
      limits: { webhooks: 3 },
      dayUse: { day: '2026-11-22', recipients: 7, stored: 7 },
      overShareUntil: 1_700_000_000_000,
      contactDigest: 'digest',
      policies: {
        news: {
          kind: 'bulk',
          categoryKey: 'news',
          tracking: { clicks: false },
          keepsContent: false,
        },
      },
      webhooks: { whk_1: { eventTypes: ['email.sent'] } },
    };

    expect(organizationSchema.parse(organization)).toEqual(organization);
  });

  it.each([0, -1, 1.5, '30'])('does not keep them for %j days', (sendRetentionDays) => {
    const stored = { ...buildOrganization(), sendRetentionDays };

    expect(organizationSchema.safeParse(stored).success).toBe(false);
  });
});
