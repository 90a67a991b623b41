import type { SesDomain } from '#shared/domains/ses-domain';
import { ServiceError } from '#shared/errors/service-error';
import { isOfService } from './ensure-domain.ts';
import type { KeptAnswer } from './identity.ts';
import { beginAskingSes, type IdentityContext, keepSesAnswer } from './identity-store.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';
import { type DomainView, type IdentityView, viewIdentity, withDefault } from './identity-view.ts';
import { lookAfterIdentity } from './look-after-identity.ts';
import { verdictOf } from './ses-verdict.ts';
import { readDomain } from './set-domain.ts';
import {
  isGivenUp,
  settleIdentity,
  type WantingContext,
  wantsIdentity,
} from './settle-identity.ts';
import { type DomainTitle, noTitle, settleOwnership, verdictFor } from './settle-ownership.ts';

/** Shows what DNS has now and what SES had a moment ago. A change counts at once, without waiting for the schedule. */
export async function showIdentity(
  context: IdentityContext,
  management: IdentityUpkeep,
): Promise<IdentityView> {
  if (!wantsIdentity(context)) throw new ServiceError('identity_not_found');
  const { organizationId } = context.place;
  const isOver = isGivenUp(context.identity);
  const [answer, title] = await Promise.all([
    askSes(context, management),
    isOver ? noTitle : settleOwnership(context, management),
  ]);
  const { account } = answer;
  const found =
    answer.found && isOfService(answer.found, organizationId, title.ownership)
      ? answer.found
      : undefined;
  // The scheduled checks create what SES doesn't have. A domain that was given up stays so until it is set again.
  const settled =
    found === undefined || isOver
      ? context
      : await settleIfChanged(context, title, found, management);
  if (!wantsIdentity(settled)) throw new ServiceError('identity_not_found');
  const { identity, organization } = settled;
  return viewIdentity(
    { wanted: identity.wanted, organizationId, organization, title, found, account },
    management.dns,
  );
}

/**
 * Asks at most once in `answerKeptMs` for each domain: SES allows about one such call a second for the whole account,
 * and a page that polls would use them all.
 */
async function askSes(
  { identity }: WantingContext,
  { table, now, ses, answerKeptMs }: IdentityUpkeep,
): Promise<KeptAnswer> {
  const { domain } = identity.wanted;
  const kept = identity.seen?.domain === domain ? identity.seen : undefined;
  const at = now();
  if (kept !== undefined && at - kept.at < answerKeptMs) return kept;
  if (!(await beginAskingSes(table, identity, at, answerKeptMs))) {
    if (kept !== undefined) return kept;
    throw new ServiceError(
      'provider_throttled',
      'Another request is already waiting for SES to answer. Wait for Retry-After, then repeat this one.',
      { retryAfterSeconds: Math.max(1, Math.ceil(answerKeptMs / 1000)) },
    );
  }
  const [found, account] = await Promise.all([ses.get(domain), ses.getAccount()]);
  const answer = { domain, at, ...(found && { found }), account };
  await keepSesAnswer(table, identity, answer);
  return answer;
}

async function settleIfChanged(
  context: WantingContext,
  title: DomainTitle,
  found: SesDomain,
  management: IdentityUpkeep,
) {
  const { wanted } = context.identity;
  const verdict = verdictFor(verdictOf(found, wanted), wanted, title);
  if (verdict.status === wanted.status && verdict.reason === wanted.reason) return context;
  if (verdict.status !== 'active') return settleIdentity(context, verdict, management);
  // Before sends use it, SES must have it as its owner's.
  return (await lookAfterIdentity(context, title, management, found)).context;
}

export async function showDomain(
  context: WantingContext,
  management: IdentityUpkeep,
): Promise<DomainView> {
  const { domain } = context.identity.wanted;
  try {
    return withDefault(await showIdentity(context, management), context);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'identity_not_found') throw error;
    // It became the default in between, or stopped being it.
    const moved = await readDomain(management.table, context.place.organizationId, domain);
    return withDefault(await showIdentity(moved, management), moved);
  }
}
