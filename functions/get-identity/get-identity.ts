import type { RequestTo } from '#shared/endpoints/endpoint';
import type { IdentityManagement } from '#shared/identity/identity-management';
import type { IdentityView } from '#shared/identity/identity-view';
import { showIdentity } from '#shared/identity/show-identity';
import type { endpoint } from './endpoint.ts';

export async function getIdentity(
  { caller: { organizationId } }: RequestTo<typeof endpoint>,
  management: IdentityManagement,
): Promise<IdentityView> {
  return showIdentity(await management.identities.read(organizationId), management);
}
