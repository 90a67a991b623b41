import { type Alert, severityOf } from '#shared/notice-targets/alert-message';
import {
  fileForTargets,
  readTargets,
  recordTargetState,
  targetIn,
} from '#shared/notice-targets/notice-target-store';
import type { AlertOutcome, AlertPosting } from '#shared/notice-targets/post-alert';
import { stateAfter } from '#shared/notice-targets/target-state';
import { isOvertaken, type NoticeOutcome, settleNotice } from '#shared/notices/due-notice-store';
import { goesToTargets, type Notice } from '#shared/notices/notice';
import type { RequestLog } from '#shared/observability/request-log';
import { getOrganization } from '#shared/organizations/organization-store';
import type { TableAndClock } from '#shared/table/table-client';
import { inParallel } from '#shared/timing/in-parallel';
import type { OrganizationId } from '#shared/tokens/resource-id';

export type AlertDelivery = TableAndClock & { readonly alerts: Pick<AlertPosting, 'post'> };

/** A copy of a notice for one target. */
export type TargetedNotice = Notice & { readonly target: string };

export const isTargeted = (notice: Notice): notice is TargetedNotice => notice.target !== undefined;

/** Files the notice's copies, one for each target, the first time it's attended. @returns the new ones. */
export async function fileCopies(
  notice: Notice,
  { table }: Pick<AlertDelivery, 'table'>,
  log: RequestLog,
): Promise<readonly TargetedNotice[]> {
  if (!goesToTargets(notice)) return [];
  const { targets } = await readTargets(table, notice.organizationId);
  // Old news isn't for a target that was added, or moved, since.
  const keys = Object.keys(targets).filter((key) => (targets[key]?.updatedAt ?? 0) <= notice.at);
  if (keys.length === 0) return [];
  const outcome = await fileForTargets(table, notice, keys);
  if (outcome === 'over_limit') {
    const { organizationId, cause } = notice;
    log.info('notice not sent to targets', { organizationId, cause, outcome });
  }
  return outcome === 'filed' ? keys.map((target) => ({ ...notice, target, attempts: 0 })) : [];
}

const concurrency = 5;

/** Whether this run may attempt it. It's due again later, whatever becomes of the attempt. */
type Claim = (copy: TargetedNotice) => Promise<boolean>;

/**
 * The first of each organization, then the next of each. A target that doesn't answer isn't asked again in this run, so
 * it holds up no other for longer than one timeout. Nothing starts after `until`; the next run goes on.
 */
export async function deliverAlerts(
  copies: readonly TargetedNotice[],
  delivery: AlertDelivery,
  until: number,
  claim: Claim,
  log: RequestLog,
): Promise<void> {
  const silent = new Set<string>();
  await inParallel(inTurns(copies), concurrency, async (copy) => {
    if (delivery.now() >= until) return;
    const { organizationId, cause } = copy;
    const place = `${organizationId} ${copy.target}`;
    try {
      if (!(await claim(copy))) return;
      const outcome = silent.has(place) ? 'unreachable' : await deliver(copy, delivery);
      if (outcome === 'unreachable') silent.add(place);
      log.info('alert attempted', { organizationId, cause, outcome });
    } catch (error) {
      log.error('alert not attempted', error, { organizationId, cause });
    }
  });
}

function inTurns(copies: readonly TargetedNotice[]): readonly TargetedNotice[] {
  const turns = new Map<OrganizationId, number>();
  const placed = copies.map((copy) => {
    const turn = turns.get(copy.organizationId) ?? 0;
    turns.set(copy.organizationId, turn + 1);
    return { copy, turn };
  });
  return placed.toSorted((one, other) => one.turn - other.turn).map(({ copy }) => copy);
}

/** A claimed copy. It's settled before anything else is written, so a failure there doesn't repeat the message. */
async function deliver(
  copy: TargetedNotice,
  { table, now, alerts }: AlertDelivery,
): Promise<NoticeOutcome | 'unreachable'> {
  const { organizationId, target: key } = copy;
  const [organization, found, isTooLate] = await Promise.all([
    getOrganization(table, organizationId),
    readTargets(table, organizationId),
    isOvertaken(table, copy, now()),
  ]);
  const target = targetIn(found, key);
  if (organization === undefined || target === undefined || isTooLate) {
    const outcome = isTooLate ? 'outdated' : 'target_gone';
    await settleNotice(table, copy, outcome);
    return outcome;
  }
  const answered = await alerts.post(target, alertOf(copy, organization.name));
  const outcome = outcomes[answered.kind];
  if (outcome !== 'unreachable') await settleNotice(table, copy, outcome);
  const state = stateAfter(found.states.get(key), answered, now());
  await recordTargetState(table, organizationId, key, found, state);
  return outcome;
}

const outcomes = {
  delivered: 'delivered',
  refused: 'given_up',
  unreachable: 'unreachable',
} as const satisfies Record<AlertOutcome['kind'], string>;

/** A domain that's verified again resolves the incident of its loss. */
export function alertOf(
  { organizationId, cause, about, subject, text, at }: Notice,
  organizationName: string,
): Alert {
  const ends = cause === 'identity_active';
  return {
    source: organizationName,
    subject,
    text,
    severity: severityOf(cause),
    dedupKey: [organizationId, ends ? 'identity_lost' : cause, about].join(':'),
    action: ends ? 'resolve' : 'trigger',
    at,
  };
}
