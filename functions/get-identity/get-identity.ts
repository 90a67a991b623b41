import { identityEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { openIdentityManagement } from '#shared/identity/identity-management';
import {
  identityAnswer,
  identityReference,
  readingWords,
} from '#shared/identity/identity-reference';
import { readsDomain } from '#shared/identity/identity-rights';
import { showIdentity } from '#shared/identity/show-identity';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/organization/identity',
    access: { key: 'required', scope: 'manage_organization' },
    answers: { 200: identityAnswer },
    errors: ['identity_not_found', 'provider_throttled', 'provider_unreachable'],
    uses: openIdentityManagement,
    lambda: { environment: identityEnvironment, stack: 'Account', ...readsDomain },
    words: {
      section: 'Organization',
      summary: 'Read the From identity of the organization',
      description: readingWords,
      fields: identityReference.fields,
    },
  },
  async ({ caller }, management) =>
    showIdentity(await management.identities.read(caller.organizationId), management),
);
