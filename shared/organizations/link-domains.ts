import { isLinkDomain } from '#shared/config/link-domains';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import type { Organization } from './organization.ts';

export type HavingLinkDomains = Pick<Organization, 'linkDomain' | 'formerLinkDomains'>;

/** The hosts on which the organization's links work, and no other organization's do. */
export const linkDomainsOf = ({
  linkDomain,
  formerLinkDomains = [],
}: HavingLinkDomains): readonly string[] =>
  linkDomain === undefined ? formerLinkDomains : [linkDomain, ...formerLinkDomains];

/** The base of links in its next emails, without a trailing slash. */
export function linkBaseOf(
  { linkDomain }: HavingLinkDomains,
  { baseUrl, linkDomains }: { readonly baseUrl: string; readonly linkDomains: readonly string[] },
): string {
  // The operator may have taken the domain from the deployment since.
  if (linkDomain === undefined || !isLinkDomain(linkDomain, linkDomains)) return baseUrl;
  if (!linkDomain.endsWith('.localhost')) return `https://${linkDomain}`;
  const twin = new URL(baseUrl);
  twin.hostname = linkDomain;
  return twin.origin;
}

/**
 * A link domain serves only its organization's links; the service's own address serves all.
 *
 * @param linkHost the link domain that the request came to, if any.
 */
export function requireOwnLinkHost(
  linkHost: string | undefined,
  organization: HavingLinkDomains | undefined,
  code: 'link_not_found' | 'contact_not_found',
): void {
  if (linkHost === undefined) return;
  if (organization === undefined || !linkDomainsOf(organization).includes(linkHost)) {
    throw new ServiceError(code);
  }
}

type LinkDomainChange = {
  readonly linkDomain?: string | null;
  readonly formerLinkDomains?: readonly string[];
};

/**
 * Keeps the earlier domain for links already sent, until the list of former ones is given without it.
 *
 * @throws ServiceError `validation_failed` for a host that isn't the deployment's, or that the organization never had
 */
export function withLinkDomain(
  { linkDomain: present, formerLinkDomains: formerly = [], ...organization }: Organization,
  change: LinkDomainChange,
  linkDomains: readonly string[],
): Organization {
  const next = change.linkDomain === undefined ? present : (change.linkDomain ?? undefined);
  if (next !== undefined && next !== present && !isLinkDomain(next, linkDomains)) {
    throw invalidField('linkDomain', `must be one of ${listed(linkDomains)}`);
  }
  const had = linkDomainsOf({ linkDomain: present, formerLinkDomains: formerly });
  const kept = change.formerLinkDomains ?? (present === undefined ? formerly : had);
  const unknown = kept.find((host) => !had.includes(host));
  if (unknown !== undefined) {
    throw invalidField('formerLinkDomains', `may only have hosts that it has had, not ${unknown}`);
  }
  const former = [...new Set(kept)].filter((host) => host !== next);
  return {
    ...organization,
    ...(next !== undefined && { linkDomain: next }),
    ...(former.length > 0 && { formerLinkDomains: former }),
  };
}

const listed = (linkDomains: readonly string[]): string =>
  linkDomains.length === 0
    ? 'the setting linkDomains of the deployment, which has none'
    : linkDomains.join(', ');
