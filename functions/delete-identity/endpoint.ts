import { identityEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { deletesDomain } from '#shared/identity/identity-rights';

export const endpoint = defineEndpoint({
  route: 'DELETE /api/v1/organization/identity',
  access: { key: 'required', scope: 'manage_organization' },
  answers: { 204: { description: 'The identity is deleted.' } },
  errors: ['identity_not_found', 'rate_limited', 'concurrent_change'],
  isLimited: true,
  lambda: { environment: identityEnvironment, stack: 'Account', ...deletesDomain },
  words: {
    section: 'Organization',
    summary: 'Delete the From identity of the organization',
    description:
      'Sends are refused from then on. Another organization may then prove that it owns the domain.',
  },
});
