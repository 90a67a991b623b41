import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { admitIdentityChange } from '#shared/identity/identity-changes';
import { getIdentity } from '#shared/identity/identity-store';
import { domainRemovals, removesDomains } from '#shared/identity/identity-upkeep';
import { clearPlace } from '#shared/identity/remove-domains';
import { wantsIdentity } from '#shared/identity/settle-identity';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/organization/identity',
    access: { key: 'required', scope: 'manage_organization' },
    answers: { 204: { description: 'The identity is deleted.' } },
    errors: ['identity_not_found', 'rate_limited', 'concurrent_change'],
    isLimited: true,
    uses: removesDomains,
    lambda: { stack: 'Account', tableActions: domainRemovals },
    words: {
      section: 'Organization',
      summary: 'Delete the From identity of the organization',
      description:
        'Sends are then refused, and another organization can prove that it owns the domain.',
    },
  },
  // The default domain's only; other domains stay.
  async ({ caller, log }, management) => {
    const { organizationId } = caller;
    const context = await getIdentity(management.table, organizationId);
    if (!wantsIdentity(context)) throw new ServiceError('identity_not_found');
    const { domain } = context.identity.wanted;
    await admitIdentityChange(organizationId, management);
    await clearPlace(context, { action: 'identity.deleted', domain }, { caller, log }, management);
  },
);
