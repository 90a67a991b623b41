import type { RequestTo } from '#shared/endpoints/endpoint';
import type { Surroundings } from '#shared/endpoints/serve';
import { admitIdentityChange } from '#shared/identity/identity-changes';
import type { IdentityManagement } from '#shared/identity/identity-management';
import type { DomainView } from '#shared/identity/identity-view';
import { readDomain, setDomain } from '#shared/identity/set-domain';
import { withDefault } from '#shared/identity/show-identity';
import type { endpoint } from './endpoint.ts';

/** Sets a domain as it is, so that what was given up starts over. */
export async function verifyDomain(
  { caller, path: { domain }, log }: RequestTo<typeof endpoint> & Pick<Surroundings, 'log'>,
  management: IdentityManagement,
): Promise<DomainView> {
  const { organizationId } = caller;
  const context = await readDomain(organizationId, domain, management);
  await admitIdentityChange(organizationId, management);
  const { fromEmail, mailFromDomain } = context.identity.wanted;
  const wanted = { domain, fromEmail, mailFromDomain };
  const setting = { wanted, context, action: 'domain.verification_started' };
  return withDefault(await setDomain(setting, { caller, log }, management), context);
}
