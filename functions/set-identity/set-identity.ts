import type { RequestTo } from '#shared/endpoints/endpoint';
import type { Surroundings } from '#shared/endpoints/serve';
import { admitIdentityChange } from '#shared/identity/identity-changes';
import type { IdentityManagement } from '#shared/identity/identity-management';
import type { IdentityView } from '#shared/identity/identity-view';
import { requireElsewhereWithout, setDomain } from '#shared/identity/set-domain';
import type { endpoint } from './endpoint.ts';

/** Replaces an earlier default domain once it's active. */
export async function setIdentity(
  { caller, body, log }: RequestTo<typeof endpoint> & Pick<Surroundings, 'log'>,
  management: IdentityManagement,
): Promise<IdentityView> {
  const { mailFromLabel, domain, fromEmail } = body;
  const { organizationId } = caller;
  await admitIdentityChange(organizationId, management);
  const { byDefault, beside } = await management.identities.readBoth(organizationId, domain);
  requireElsewhereWithout(beside, domain);
  const wanted = { domain, fromEmail, mailFromDomain: `${mailFromLabel}.${domain}` };
  const setting = { wanted, context: byDefault, action: 'identity.set', elsewhere: beside };
  return setDomain(setting, { caller, log }, management);
}
