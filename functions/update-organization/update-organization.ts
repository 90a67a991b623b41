import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import {
  changeOrganization,
  type OrganizationChanging,
} from '#shared/organizations/change-organization';
import type { LinkDomainStore } from '#shared/organizations/link-domain-store';
import { withLinkDomain } from '#shared/organizations/link-domains';
import type { Organization } from '#shared/organizations/organization';
import type { GivenLimits } from '#shared/organizations/organization-limits';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

type OrganizationUpdating = OrganizationChanging & {
  readonly linkDomains: readonly string[];
  readonly linkDomainStore: LinkDomainStore;
};

type Request = Pick<RequestTo<typeof endpoint>, 'path' | 'body'>;

/** A pause and limits apply from the next send on, `linksDisabled` from the next click. */
export const updateOrganization = (
  { path: { id }, body: { limits: wanted, linkDomain, formerLinkDomains, ...changes } }: Request,
  management: OrganizationUpdating,
): Promise<Organization> =>
  changeOrganization(
    id,
    'operator',
    async ({ limits: present, ...organization }) => {
      const limits = withLimits(present, wanted);
      const changed = { ...organization, ...changes, ...(limits && { limits }) };
      if (linkDomain === undefined && formerLinkDomains === undefined) return changed;
      if (linkDomain) await requireFree(linkDomain, id, management);
      const links = {
        ...(linkDomain !== undefined && { linkDomain }),
        ...(formerLinkDomains && { formerLinkDomains }),
      };
      return withLinkDomain(changed, links, management.linkDomains);
    },
    management,
  );

/** The write checks again, as another organization may take the host in between. */
async function requireFree(
  host: string,
  id: OrganizationId,
  { linkDomainStore, organizations }: OrganizationUpdating,
): Promise<void> {
  const owner = await linkDomainStore.ownerOf(host);
  if (owner === undefined || owner === id) return;
  if ((await organizations.get(owner)) !== undefined) throw new ServiceError('link_domain_taken');
  await linkDomainStore.free(host, owner);
}

/** `undefined` if the organization has no limits of its own. */
function withLimits(
  present: GivenLimits | undefined,
  wanted: Request['body']['limits'],
): GivenLimits | undefined {
  const limits: Record<string, number> = {};
  for (const [name, limit] of Object.entries({ ...present, ...wanted })) {
    if (typeof limit === 'number') limits[name] = limit;
  }
  return Object.keys(limits).length === 0 ? undefined : limits;
}
