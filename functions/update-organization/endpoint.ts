import * as z from 'zod/mini';
import { linkDomainsEnvironment } from '#shared/config/environment';
import { eachLimit } from '#shared/config/organization-limits';
import { changesOf } from '#shared/endpoints/changes-of';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { organizationPath } from '#shared/endpoints/resource-paths';
import { boundedList } from '#shared/errors/bounded';
import { limitsViewSchema } from '#shared/organizations/limits-view';
import { organizationName } from '#shared/organizations/organization-fields';
import { limitValue } from '#shared/organizations/organization-limits';
import {
  exampleLimits,
  exampleOrganization,
  limitFields,
} from '#shared/organizations/organization-reference';
import { organizationViewSchema } from '#shared/organizations/organization-view';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint({
  route: 'PATCH /api/v1/organizations/{id}',
  access: 'operator_secret',
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
  lambda: {
    stack: 'Organizations',
    environment: linkDomainsEnvironment,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  words: {
    section: 'Operator',
    summary: 'Change or pause an organization',
    description: `Changes only the fields in the request.

- \`limits\` changes the limits that you name, from the next request on; \`null\` goes back to the deployment’s.
- \`paused\` refuses sends with \`tenant_paused\`, from the next one on. Tracked links then ask people before they follow them.
- \`linksDisabled\` switches tracked links off at once, also in emails already sent: each answers 404.
- \`linkDomain\` is the host that the links of the next emails lead to, one of the deployment’s \`linkDomains\`; \`null\` goes back to the service’s own address. Only this organization’s links work there. Its previous host moves to \`formerLinkDomains\`, where links already sent keep working. Leave a host out of that list to give it back: its links stop working, and another organization may have it.

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
