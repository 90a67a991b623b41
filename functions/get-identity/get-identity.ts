import type { SesDomain } from '#shared/domains/ses-domain';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { askSes } from '#shared/identity/ask-ses';
import { isOfService } from '#shared/identity/ensure-domain';
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
import type { endpoint } from './endpoint.ts';

/**
 * Shows the organization's identity, as DNS has it now and SES had it a moment ago. A change counts from then on, without
 * waiting for the schedule.
 */
export async function getIdentity(
  { caller: { organizationId } }: RequestTo<typeof endpoint>,
  management: IdentityManagement,
): Promise<IdentityView> {
  const { identities, dns } = management;
  const context = await identities.read(organizationId);
  if (!wantsIdentity(context)) throw new ServiceError('identity_not_found');
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
  // The schedule makes what SES doesn't have. What was given up stays so until it is set again.
  const settled =
    found === undefined || isOver
      ? context
      : await settleIfChanged(context, title, found, management);
  if (!wantsIdentity(settled)) throw new ServiceError('identity_not_found');
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
