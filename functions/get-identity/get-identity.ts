import { authenticateManager } from '#shared/access/authenticate';
import type { SesDomain } from '#shared/domains/ses-domain';
import { askSes } from '#shared/identity/ask-ses';
import { isOfService } from '#shared/identity/ensure-domain';
import { identityNotFound } from '#shared/identity/identity-faults';
import type { IdentityManagement } from '#shared/identity/identity-management';
import { type IdentityView, viewIdentity } from '#shared/identity/identity-view';
import { lookAfterIdentity } from '#shared/identity/look-after-identity';
import { verdictOf } from '#shared/identity/ses-verdict';
import {
  isGivenUp,
  settleIdentity,
  type WantingContext,
  wantsIdentity,
} from '#shared/identity/settle-identity';
import {
  type DomainTitle,
  noTitle,
  settleOwnership,
  verdictFor,
} from '#shared/identity/settle-ownership';

/**
 * Shows the organization's identity, as DNS has it now and SES had it a moment ago. Whoever looks need not wait for
 * the schedule: what has changed counts from then on.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `identity_not_found`, `provider_throttled`
 */
export async function getIdentity(
  credential: string | undefined,
  management: IdentityManagement,
): Promise<IdentityView> {
  const { organizationId } = await authenticateManager(credential, management);
  const { identities, dns } = management;
  const context = await identities.read(organizationId);
  if (!wantsIdentity(context)) throw identityNotFound();
  const isOver = isGivenUp(context.identity);
  const [answer, title] = await Promise.all([
    askSes(context, management),
    isOver ? noTitle : settleOwnership(context, management),
  ]);
  const { account } = answer;
  const found =
    answer.found && isOfService(answer.found, organizationId, title.standing)
      ? answer.found
      : undefined;
  // What SES does not have is made by the schedule; and what was given up stays so until it is set again.
  const settled =
    found === undefined || isOver
      ? context
      : await settleIfChanged(context, title, found, management);
  if (!wantsIdentity(settled)) throw identityNotFound();
  const { identity, organization } = settled;
  return viewIdentity(
    { wanted: identity.wanted, organizationId, organization, title, found, account },
    dns,
  );
}

async function settleIfChanged(
  context: WantingContext,
  title: DomainTitle,
  found: SesDomain,
  management: IdentityManagement,
) {
  const { wanted } = context.identity;
  const verdict = verdictFor(verdictOf(found, wanted), wanted, title);
  if (verdict.status === wanted.status && verdict.reason === wanted.reason) return context;
  if (verdict.status !== 'active') return settleIdentity(context, verdict, management);
  // Before sends use it, SES must have it as its owner's.
  return (await lookAfterIdentity(context, title, management, found)).context;
}
