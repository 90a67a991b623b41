import { leaveTenant } from '#shared/identity/deleted-owner';
import type { DueIdentityStore } from '#shared/identity/due-identity-store';
import { ensureDomain } from '#shared/identity/ensure-domain';
import { postponed } from '#shared/identity/identity';
import type { IdentityContext } from '#shared/identity/identity-store';
import type { IdentityUpkeep } from '#shared/identity/identity-upkeep';
import { removeDomains } from '#shared/identity/remove-domains';
import { verdictOf } from '#shared/identity/ses-domain';
import { isGivenUp, settleIdentity, wantsIdentity } from '#shared/identity/settle-identity';
import type { RequestLog } from '#shared/observability/request-log';
import { inParallel } from '#shared/timing/in-parallel';
import type { OrganizationId } from '#shared/tokens/resource-id';

// When an identity is due: `shared/identity/identity.ts`. How often it runs: `infra/constructs/identity-checks.ts`.

export type IdentityChecks = IdentityUpkeep & { readonly dueIdentities: DueIdentityStore };

/** What a run takes up. The next one, minutes later, takes up the rest. */
const mostInRun = 100;
/** SES takes some calls a second of this kind, and sends share none of them. */
const concurrency = 4;

/**
 * Checks the identities that are due: asks SES, and goes on with what a process that died has left. Of an
 * organization that was deleted it takes everything out of SES.
 */
export async function checkIdentities(checks: IdentityChecks, log: RequestLog): Promise<void> {
  const due = await checks.dueIdentities.find(checks.now(), mostInRun);
  await inParallel(due, concurrency, (organizationId) => check(organizationId, checks, log));
}

async function check(
  organizationId: OrganizationId,
  checks: IdentityChecks,
  log: RequestLog,
): Promise<void> {
  const context = await checks.identities.read(organizationId);
  try {
    const identity =
      context.organization === undefined
        ? await leaveTenant(context.identity, checks)
        : (await settle(context, checks)).identity;
    if (identity === undefined) return;
    log.info('identity checked', { organizationId, status: identity.wanted?.status });
    await removeDomains(identity, checks);
  } catch (error) {
    log.error('identity not checked', error, { organizationId });
    const { identity: before } = context;
    if (before === undefined) return;
    await checks.identities.storeChange({ before, after: postponed(before, checks.now()) }, {});
  }
}

async function settle(context: IdentityContext, checks: IdentityChecks): Promise<IdentityContext> {
  if (!wantsIdentity(context) || isGivenUp(context.identity)) return context;
  const { wanted, organizationId } = context.identity;
  const owner = { organizationId, sending: context.organization?.identity };
  const ensured = await ensureDomain(wanted, owner, checks);
  const verdict =
    ensured.kind === 'ready'
      ? { ...verdictOf(ensured.found, wanted), tenant: ensured.tenant }
      : ({ status: 'failed', reason: ensured.reason } as const);
  return settleIdentity(context, verdict, checks);
}
