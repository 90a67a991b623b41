import { identityEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { admitIdentityChange } from '#shared/identity/identity-changes';
import {
  type IdentityManagement,
  openIdentityManagement,
} from '#shared/identity/identity-management';
import { deletesDomain } from '#shared/identity/identity-rights';
import { clearPlace } from '#shared/identity/remove-domains';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/organization/identity',
    access: { key: 'required', scope: 'manage_organization' },
    answers: { 204: { description: 'The identity is deleted.' } },
    errors: ['identity_not_found', 'rate_limited', 'concurrent_change'],
    isLimited: true,
    uses: openIdentityManagement,
    lambda: { environment: identityEnvironment, stack: 'Account', ...deletesDomain },
    words: {
      section: 'Organization',
      summary: 'Delete the From identity of the organization',
      description:
        'Sends are then refused, and another organization can prove that it owns the domain.',
    },
  },
  // The default domain's only; other domains stay.
  async ({ caller, log }, management: IdentityManagement) => {
    const { organizationId } = caller;
    const context = await management.identities.read(organizationId);
    const domain = context.identity?.wanted?.domain ?? context.organization?.identity?.domain;
    if (domain === undefined) throw new ServiceError('identity_not_found');
    await admitIdentityChange(organizationId, management);
    await clearPlace(context, { action: 'identity.deleted', domain }, { caller, log }, management);
  },
);
