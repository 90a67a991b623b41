import * as z from 'zod/mini';
import {
  domainClaimReference,
  domainClaimViewSchema,
  exampleDomainClaim,
} from '#shared/domains/domain-claim-view';
import { domainField } from '#shared/domains/domain-field';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { vouchForDomain } from '#shared/identity/settle-ownership';
import { exampleIds } from '#shared/tokens/example-values';
import { listedOrganizationId } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/domain-claims',
    access: 'operator',
    body: z.strictObject({
      domain: domainField,
      organizationId: listedOrganizationId,
    }),
    answers: {
      200: {
        body: domainClaimViewSchema,
        description: 'The claim as it is now.',
        example: exampleDomainClaim,
      },
    },
    errors: ['organization_not_found', 'concurrent_change'],
    lambda: {
      stack: 'Organizations',
      tableActions: [
        'GetItem',
        'BatchGetItem',
        'Query',
        'ConditionCheckItem',
        'PutItem',
        'UpdateItem',
      ],
    },
    words: {
      section: 'Operator',
      summary: 'Vouch for an organization and a domain',
      description:
        'A vouch counts like the organization’s TXT record. It doesn’t take a domain from an owner with a record or a vouch. A vouch ends after 30 days without use, and when the organization deletes the domain.',
      fields: domainClaimReference.fields,
      example: { body: { domain: 'news.example.com', organizationId: exampleIds.organization } },
    },
  },
  vouchForDomain,
);
