import type { RequestTo } from '#shared/endpoints/endpoint';
import type { Surroundings } from '#shared/endpoints/serve';
import { ServiceError } from '#shared/errors/service-error';
import { admitIdentityChange } from '#shared/identity/identity-changes';
import type { IdentityManagement } from '#shared/identity/identity-management';
import { clearPlace } from '#shared/identity/remove-domains';
import type { endpoint } from './endpoint.ts';

/** The default domain's only; other domains stay. */
export async function deleteIdentity(
  { caller, log }: RequestTo<typeof endpoint> & Pick<Surroundings, 'log'>,
  management: IdentityManagement,
): Promise<undefined> {
  const { organizationId } = caller;
  const context = await management.identities.read(organizationId);
  const domain = context.identity?.wanted?.domain ?? context.organization?.identity?.domain;
  if (domain === undefined) throw new ServiceError('identity_not_found');
  await admitIdentityChange(organizationId, management);
  await clearPlace(context, { action: 'identity.deleted', domain }, { caller, log }, management);
}
