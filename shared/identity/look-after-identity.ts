import type { SesDomain } from '#shared/domains/ses-domain';
import { activeDomainsOf } from '#shared/organizations/organization';
import { readDomainOwnership } from './domain-store.ts';
import { type EnsuredDomain, ensureDomain } from './ensure-domain.ts';
import { sendingOf } from './identity-items.ts';
import type { IdentityContext } from './identity-store.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';
import { verdictOf } from './ses-verdict.ts';
import {
  isGivenUp,
  planReplaced,
  replacedOf,
  settleIdentity,
  settleReplaced,
  type WantingContext,
  wantsIdentity,
} from './settle-identity.ts';
import { type DomainTitle, verdictFor } from './settle-ownership.ts';

type LookedAfter = {
  readonly context: IdentityContext;
  readonly found: SesDomain | undefined;
  /** AWS's reason why SES refuses the domain. */
  readonly refusal?: string;
};

/**
 * Once the tenant's state is stored, each send names the tenant, so the tenant must already have every domain in use.
 */
function usedDomainsOf({ place, organization }: WantingContext): readonly string[] {
  if (organization === undefined) return [];
  if (organization.tenant === undefined) return activeDomainsOf(organization);
  const sending = sendingOf(place, organization);
  return sending?.status === 'active' ? [sending.domain] : [];
}

/** @param known SES's state, if read a moment ago. */
export async function lookAfterIdentity(
  context: WantingContext,
  title: DomainTitle,
  upkeep: IdentityUpkeep,
  known?: SesDomain,
): Promise<LookedAfter> {
  const { wanted, organizationId } = context.identity;
  const user = { organizationId, used: usedDomainsOf(context) };
  const ensured: EnsuredDomain = await ensureDomain(wanted, user, title, upkeep, known);
  if (ensured.kind === 'refused') {
    const { reason: refusal } = ensured;
    const verdict = { status: 'failed', reason: refusal } as const;
    const settled = await settleIdentity(context, verdict, upkeep);
    return { context: settled, found: undefined, refusal };
  }
  const { found, tenant } = ensured;
  // SES wasn't asked, so the domain doesn't count as lost.
  if (found === undefined) return { context, found };
  const verdict = verdictFor(verdictOf(found, wanted), wanted, title);
  return { context: await settleIdentity(context, { ...verdict, tenant }, upkeep), found };
}

/** SES may lose the domain in use while another is to replace it, or after that one was given up. */
export async function lookAfterReplaced(
  context: WantingContext,
  upkeep: IdentityUpkeep,
): Promise<IdentityContext> {
  const used = replacedOf(context);
  if (used === undefined) return context;
  const { table, ses, now } = upkeep;
  const { organizationId } = context.identity;
  const [found, { owner }] = await Promise.all([
    ses.get(used.domain),
    readDomainOwnership(table, used.domain, now()),
  ]);
  const isOwn = [owner?.organizationId, found?.ownerId].every((one) => one === organizationId);
  // Another organization may have it by now.
  if (used.status !== 'active' && !isOwn) return context;
  return settleReplaced(context, used, verdictOf(found, used), upkeep);
}

/** For an identity whose wanted domain was given up. */
export async function lookAfterReplacedAlone(
  context: WantingContext,
  upkeep: IdentityUpkeep,
): Promise<IdentityContext> {
  const settled = await lookAfterReplaced(context, upkeep);
  if (!wantsIdentity(settled) || !isGivenUp(settled.identity)) return settled;
  const isInUse = replacedOf(settled) !== undefined;
  const tenant = isInUse
    ? await upkeep.tenants?.ensure(settled.identity.organizationId, usedDomainsOf(settled))
    : undefined;
  return planReplaced(settled, tenant, upkeep);
}
