import * as z from 'zod/mini';
import { knowsLinkDomains } from '#shared/aws/settings';
import { eachLimit } from '#shared/config/organization-limits';
import { changesOf } from '#shared/endpoints/changes-of';
import { defineEndpoint, type Operator, type RequestTo } from '#shared/endpoints/endpoint';
import { organizationPath } from '#shared/endpoints/resource-paths';
import { boundedList } from '#shared/errors/bounded';
import { ServiceError } from '#shared/errors/service-error';
import { changeOrganization } from '#shared/organizations/change-organization';
import { type GivenLimits, limitValue } from '#shared/organizations/limits-in-force';
import { limitsViewSchema, toLimitsView } from '#shared/organizations/limits-view';
import { freeLinkDomain, getLinkDomainOwner } from '#shared/organizations/link-domain-store';
import { withLinkDomain } from '#shared/organizations/link-domains';
import type { Organization } from '#shared/organizations/organization';
import { organizationName } from '#shared/organizations/organization-fields';
import {
  exampleLimits,
  exampleOrganization,
  limitFields,
} from '#shared/organizations/organization-reference';
import { getOrganization } from '#shared/organizations/organization-store';
import { organizationViewSchema } from '#shared/organizations/organization-view';
import type { TableAndClock } from '#shared/table/table-client';
import { exampleIds } from '#shared/tokens/example-values';
import type { OrganizationId } from '#shared/tokens/resource-id';

type OrganizationUpdating = TableAndClock & {
  readonly linkDomains: readonly string[];
};

type Request = Pick<RequestTo<typeof declaration>, 'path' | 'body'> & {
  readonly caller: Pick<Operator, 'actor'>;
};

const declaration = defineEndpoint({
  route: 'PATCH /api/v1/organizations/{id}',
  access: 'operator',
  ...organizationPath,
  body: changesOf({
    name: z.exactOptional(organizationName),
    paused: z.exactOptional(z.boolean()),
    attachmentsEnabled: z.exactOptional(z.boolean()),
    linksDisabled: z.exactOptional(z.boolean()),
    linkDomain: z.exactOptional(z.nullable(z.string())),
    formerLinkDomains: z.exactOptional(boundedList(z.string(), 50)),
    limits: z.exactOptional(
      z.strictObject(eachLimit((name) => z.exactOptional(z.nullable(limitValue(name))))),
    ),
  }),
  answers: {
    200: {
      body: z.extend(organizationViewSchema, { limits: limitsViewSchema }),
      description: 'The organization as it is now.',
      example: { ...exampleOrganization, limits: exampleLimits },
    },
  },
  errors: ['link_domain_taken', 'concurrent_change'],
  uses: { linkDomains: knowsLinkDomains },
  lambda: {
    stack: 'Organizations',
    tableActions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  words: {
    section: 'Operator',
    summary: 'Change or pause an organization',
    description: `Changes only the fields in the request.

- \`limits\` changes the limits that you name, from the next request on; \`null\` goes back to the deployment’s.
- \`paused\` refuses sends with \`tenant_paused\`, from the next one on. Tracked links then ask people before redirecting.
- \`linksDisabled\` switches tracked links off at once, also in emails already sent: each answers 404.
- \`linkDomain\` is the host that the links of the next emails lead to, one of the deployment’s \`linkDomains\`; \`null\` goes back to the service’s own address. Only this organization’s links work there. Its previous host moves to \`formerLinkDomains\`, where links already sent keep working. Leave a host out of that list to give it up: its links stop working, and another organization can take it.

Unsubscribing always works.`,
    fields: {
      ...limitFields,
      linkDomain: 'Where the links of its next emails lead.',
      limits: 'The organization’s own limits, in place of the deployment’s.',
    },
    example: {
      path: { id: exampleIds.organization },
      body: { limits: { recipientsPerDay: 50_000 } },
    },
  },
});

export const endpoint = defineEndpoint(declaration, async (request, management) => {
  const organization = await updateOrganization(request, management);
  const limits = toLimitsView(organization.limits, management.limitsOfDeployment);
  return { ...organization, limits };
});

/** A pause and limits apply from the next send on, `linksDisabled` from the next click. */
export const updateOrganization = (
  {
    caller: { actor },
    path: { id },
    body: { limits: limitChanges, linkDomain, formerLinkDomains, ...changes },
  }: Request,
  management: OrganizationUpdating,
): Promise<Organization> =>
  changeOrganization(
    id,
    actor,
    async ({ limits: present, ...organization }) => {
      const limits = withLimits(present, limitChanges);
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
  { table }: OrganizationUpdating,
): Promise<void> {
  const owner = await getLinkDomainOwner(table, host);
  if (owner === undefined || owner === id) return;
  if ((await getOrganization(table, owner)) !== undefined)
    throw new ServiceError('link_domain_taken');
  await freeLinkDomain(table, host, owner);
}

/** `undefined` if the organization has only the default limits. */
function withLimits(
  present: GivenLimits | undefined,
  limitChanges: Request['body']['limits'],
): GivenLimits | undefined {
  const limits: Record<string, number> = {};
  for (const [name, limit] of Object.entries({ ...present, ...limitChanges })) {
    if (typeof limit === 'number') limits[name] = limit;
  }
  return Object.keys(limits).length === 0 ? undefined : limits;
}
