import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOnLinkDomains, linkHostOf } from '#shared/config/link-domains';
import { linkBaseOf, linkDomainsOf, withLinkDomain } from '#shared/organizations/link-domains';
import { endpoints } from '../../../functions/endpoints.ts';
import { routes } from '../../../functions/routes.ts';
import { buildOrganization } from '../../support/organization-builder.ts';

const linkDomains = ['a.example', 'b.example', 'c.example'];
const baseUrl = 'https://mail.example.com';

describe('the links of an organization', () => {
  it.each([
    ['none', undefined, baseUrl],
    ['one', 'a.example', 'https://a.example'],
    ['one that the deployment no longer has', 'z.example', baseUrl],
  ])('lead to the right host with a link domain: %s', (_, linkDomain, expected) => {
    const organization = linkDomain === undefined ? {} : { linkDomain };

    expect(linkBaseOf(organization, { baseUrl, linkDomains })).toBe(expected);
  });

  it('lead to the twin under its port', () => {
    const twin = { baseUrl: 'http://localhost:3000', linkDomains: ['*.localhost'] };

    expect(linkBaseOf({ linkDomain: 'shop.localhost' }, twin)).toBe('http://shop.localhost:3000');
  });

  it('work on every host that it ever had, until it is given back', () => {
    const change = fc.record(
      {
        linkDomain: fc.constantFrom(null, ...linkDomains),
        forgets: fc.boolean(),
      },
      { requiredKeys: ['forgets'] },
    );

    fc.assert(
      fc.property(fc.array(change), (changes) => {
        let organization = buildOrganization();
        for (const { forgets, ...wanted } of changes) {
          const had = linkDomainsOf(organization);
          const links = { ...wanted, ...(forgets && { formerLinkDomains: [] }) };
          organization = withLinkDomain(organization, links, linkDomains);
          const has = linkDomainsOf(organization);
          expect(new Set(has).size).toBe(has.length);
          if (!forgets) expect(has).toEqual(expect.arrayContaining([...had]));
          if (wanted.linkDomain === null) expect(organization).not.toHaveProperty('linkDomain');
        }
      }),
    );
  });
});

describe('the host of a request', () => {
  const hostOf = (domainName: string, hosts: readonly string[]) =>
    linkHostOf({ requestContext: { domainName } }, hosts);

  it.each([
    ['a.example', 'a.example'],
    ['A.EXAMPLE.', 'a.example'],
    ['a.example:443', 'a.example'],
    ['x.a.example', undefined],
    ['a.example.evil.example', undefined],
    ['a.example@evil.example', undefined],
    ['shop.localhost', undefined],
    ['', undefined],
  ])('%s is the link domain %s', (domainName, expected) => {
    expect(hostOf(domainName, ['a.example'])).toBe(expected);
    expect(hostOf(domainName, [])).toBeUndefined();
  });

  it.each([
    ['shop.localhost:3000', 'shop.localhost'],
    ['localhost:3000', undefined],
    ['127.0.0.1:3000', undefined],
    ['a.b.localhost', undefined],
    ['*.localhost', undefined],
  ])('%s is the link domain %s in the twin', (domainName, expected) => {
    expect(hostOf(domainName, ['*.localhost'])).toBe(expected);
  });

  it('serves the paths of links in emails, and no other', () => {
    const served = routes
      .filter(({ path }) => isOnLinkDomains(path.replace('{token}', 'v1.k1.x')))
      .map(({ functionName }) => functionName);

    expect(new Set(served)).toEqual(
      new Set([
        ...['track-click', 'track-open', 'show-unsubscribe', 'unsubscribe'],
        ...['show-preferences', 'save-preferences'],
      ]),
    );
    for (const name of served) expect(endpoints[name]).toMatchObject({ isForPeople: true });
  });
});
