import { type IdentityManagement, identityNotFound } from '#shared/identity/identity-management';
import { type IdentityView, viewIdentity } from '#shared/identity/identity-view';
import type { SesDomain } from '#shared/identity/ses-domain';
import { verdictOf } from '#shared/identity/ses-domain';
import {
  isGivenUp,
  settleIdentity,
  type WantingContext,
  wantsIdentity,
} from '#shared/identity/settle-identity';
import { authenticateManager } from '#shared/organizations/authenticate-manager';

/**
 * Shows the organization's identity, as SES and DNS have it now. Whoever looks need not wait for the
 * schedule: what SES says anew counts from then on.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `identity_not_found`
 */
export async function getIdentity(
  credential: string | undefined,
  management: IdentityManagement,
): Promise<IdentityView> {
  const { organizationId } = await authenticateManager(credential, management);
  const { ses, identities, dns } = management;
  const context = await identities.read(organizationId);
  if (!wantsIdentity(context)) throw identityNotFound();
  const { domain } = context.identity.wanted;
  const [standing, account] = await Promise.all([ses.get(domain), ses.getAccount()]);
  const found = standing?.ownerId === organizationId ? standing : undefined;
  const settled = await settleIfChanged(context, found, management);
  if (!wantsIdentity(settled)) throw identityNotFound();
  const { organization } = settled;
  return viewIdentity({ wanted: settled.identity.wanted, organization, found, account }, dns);
}

async function settleIfChanged(
  context: WantingContext,
  found: SesDomain | undefined,
  management: IdentityManagement,
) {
  const { wanted } = context.identity;
  const verdict = verdictOf(found, wanted);
  // What SES does not have is made by the schedule; and a refusal of SES's stands until it was asked again.
  const saysNothing = found === undefined || isGivenUp(context.identity);
  const isKnown = verdict.status === wanted.status && verdict.reason === wanted.reason;
  return saysNothing || isKnown ? context : settleIdentity(context, verdict, management);
}
