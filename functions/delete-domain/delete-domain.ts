import type { RequestTo } from '#shared/endpoints/endpoint';
import type { Surroundings } from '#shared/endpoints/serve';
import { admitIdentityChange } from '#shared/identity/identity-changes';
import type { IdentityManagement } from '#shared/identity/identity-management';
import { deleteDomain } from '#shared/identity/remove-domains';
import { readDomain } from '#shared/identity/set-domain';
import type { endpoint } from './endpoint.ts';

/** Deletes one of the organization's domains, also the default. The others stay as they are. */
export async function removeDomain(
  { caller, path: { domain }, log }: RequestTo<typeof endpoint> & Pick<Surroundings, 'log'>,
  management: IdentityManagement,
): Promise<undefined> {
  const { organizationId } = caller;
  const context = await readDomain(organizationId, domain, management);
  await admitIdentityChange(organizationId, management);
  await deleteDomain(context, { action: 'domain.deleted', domain }, { caller, log }, management);
}
