import { defineEndpoint } from '#shared/endpoints/endpoint';
import {
  identityAnswer,
  identityReference,
  readingWords,
} from '#shared/identity/identity-reference';
import { getIdentity } from '#shared/identity/identity-store';
import { domainReads, readsDomains } from '#shared/identity/identity-upkeep';
import { showIdentity } from '#shared/identity/show-identity';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/organization/identity',
    access: { key: 'required', scope: ['domains_read', 'manage_organization'] },
    answers: { 200: identityAnswer },
    errors: ['identity_not_found', 'provider_throttled', 'provider_unreachable'],
    uses: readsDomains,
    lambda: { stack: 'Account', tableActions: domainReads },
    words: {
      section: 'Organization',
      summary: 'Read the From identity of the organization',
      description: readingWords,
      fields: identityReference.fields,
    },
  },
  async ({ caller }, management) =>
    showIdentity(await getIdentity(management.table, caller.organizationId), management),
);
