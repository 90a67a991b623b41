import { setTimeout } from 'node:timers/promises';
import { longestWorkSeconds } from '#shared/config/work-budget';
import { worksOnSesIdentities } from '#shared/domains/ses-identities';
import { worksOnSesTenants } from '#shared/domains/ses-tenants';
import { defineFunction } from '#shared/endpoints/background-function';
import { ServiceError } from '#shared/errors/service-error';
import { leaveTenant } from '#shared/identity/delete-organization';
import { type IdentityPlace, postponed } from '#shared/identity/identity';
import {
  findDueIdentities,
  getIdentity,
  type IdentityContext,
  storeIdentityChange,
} from '#shared/identity/identity-store';
import {
  changesDomains,
  type IdentityUpkeep,
  looksAfterDomains,
  looksAfterTenants,
  upkeepActions,
} from '#shared/identity/identity-upkeep';
import {
  lookAfterIdentity,
  lookAfterReplaced,
  lookAfterReplacedAlone,
} from '#shared/identity/look-after-identity';
import { removeDomains } from '#shared/identity/remove-domains';
import { isGivenUp, wantsIdentity } from '#shared/identity/settle-identity';
import { settleOwnership } from '#shared/identity/settle-ownership';
import type { RequestLog } from '#shared/observability/request-log';

// When an identity is due: `shared/identity/identity.ts`. How often it runs:
// `infra/constructs/pipelines/identity-checks.ts`.

export type IdentityChecks = IdentityUpkeep & {
  readonly sleep: (milliseconds: number) => Promise<void>;
};

const maxInRun = 100;
/** SES allows about one such call a second for the whole account, and waiting people need some of them. */
const pauseMs = 1_000;
const timeoutSeconds = longestWorkSeconds;
/** The last check has nearly 30 seconds to end in. */
const runMs = (timeoutSeconds - 30) * 1_000;

export const backgroundFunction = defineFunction(
  {
    trigger: 'schedule',
    uses: {
      ...changesDomains,
      ses: /* @__PURE__ */ worksOnSesIdentities(looksAfterDomains),
      tenants: /* @__PURE__ */ worksOnSesTenants([...looksAfterTenants, 'DeleteTenant']),
      sleep: () => (milliseconds: number) => setTimeout(milliseconds),
    },
    lambda: { tableActions: upkeepActions, queriesIndexes: ['gsi1'], timeoutSeconds },
  },
  checkDueIdentities,
);

export async function checkDueIdentities(checks: IdentityChecks, log: RequestLog): Promise<void> {
  const due = await findDueIdentities(checks.table, checks.now(), maxInRun);
  await checkIdentities(due, checks, log);
}

/**
 * Checks one identity at a time, finishes what a process that died left half-done, and removes everything of a deleted
 * organization. When SES throttles, the run ends; the rest stays due and comes first in the next run.
 *
 * @throws Error if it could check none of those it tried: an alarm counts runs that die.
 */
export async function checkIdentities(
  due: readonly IdentityPlace[],
  checks: IdentityChecks,
  log: RequestLog,
): Promise<void> {
  const { now, sleep } = checks;
  const end = now() + runMs;
  const results: Checked[] = [];
  for (const [index, place] of due.entries()) {
    if (index > 0) await sleep(pauseMs);
    const result = await check(place, checks, log);
    results.push(result);
    const isThrottled = result === 'throttled';
    const left = due.length - index - (isThrottled ? 0 : 1);
    if (left === 0 || (!isThrottled && now() < end)) continue;
    log.info('identities left to the next run', { left, isThrottled });
    break;
  }
  if (results.includes('failed') && !results.includes('checked')) {
    throw new Error('no identity could be checked');
  }
}

type Checked = 'checked' | 'failed' | 'throttled';

async function check(
  { organizationId, otherDomain }: IdentityPlace,
  checks: IdentityChecks,
  log: RequestLog,
): Promise<Checked> {
  let before: IdentityContext['identity'];
  try {
    const context = await getIdentity(checks.table, organizationId, otherDomain);
    before = context.identity;
    const identity =
      context.organization === undefined
        ? await leaveTenant(context.identity, checks)
        : (await settle(context, checks)).identity;
    if (identity === undefined) return 'checked';
    log.info('identity checked', { organizationId, status: identity.wanted?.status });
    await removeDomains(identity, checks);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'provider_throttled') return 'throttled';
    log.error('identity not checked', error, { organizationId });
    // What can't be read stays due, and holds up no other.
    if (before === undefined) return 'failed';
    await storeIdentityChange(checks.table, { before, after: postponed(before, checks.now()) }, {});
    return 'failed';
  }
  return 'checked';
}

async function settle(context: IdentityContext, checks: IdentityChecks): Promise<IdentityContext> {
  if (!wantsIdentity(context)) return context;
  if (isGivenUp(context.identity)) {
    const isOut = context.identity.removing.length === 0;
    return isOut ? lookAfterReplacedAlone(context, checks) : context;
  }
  // First, so a tenant isn't given a domain that SES has lost.
  const settled = await lookAfterReplaced(context, checks);
  if (!wantsIdentity(settled) || isGivenUp(settled.identity)) return settled;
  const title = await settleOwnership(settled, checks);
  return (await lookAfterIdentity(settled, title, checks)).context;
}
