import type { Caller } from '#shared/access/admit-caller';
import {
  type AuditEntry,
  type Change,
  differenceOf,
  newAuditEntry,
} from '#shared/audit/audit-entry';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import { retentionDaysOf } from '#shared/organizations/organization';
import { getOrganization } from '#shared/organizations/organization-store';
import {
  factsOf,
  isTestSend,
  type Send,
  sendResponseOf,
  type WaitingSend,
} from '#shared/sending/send';
import { deliveriesOfPlan, emailCanceledDeliveries } from '#shared/sending/send-outbox';
import { getKeyedSend, keepOrigin } from '#shared/sending/send-store';
import { expiryAfter } from '#shared/table/expiry';
import type { Table, TableAndClock } from '#shared/table/table-client';
import {
  newNonce,
  organizationIdOf,
  type SendId,
  slotIdIn,
  slotIdOf,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import type { WakeQueue } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { longestAheadDays } from './schedule-horizon.ts';
import { type ContentRemoving, lookAgainMs, removeContent, wakeFor } from './send-later.ts';
import type { SendToWake } from './send-queue.ts';
import { longestAheadMs, mayChangePlan, requireNotLongPast } from './waiting.ts';
import { cancelWaiting, getSendInSlot, type MovedSend, moveWaiting } from './waiting-store.ts';

type PlanChanging = TableAndClock & { readonly wakeWebhooks: WakeQueue };

/** A test key changes the plans of test emails only. */
type PlannedSend = {
  readonly id: SendId;
  readonly caller: Pick<Caller, 'organizationId' | 'actor'> & {
    readonly apiKey: Pick<Caller['apiKey'], 'test'>;
  };
};

const maxTries = 3;

/**
 * Once this returns, no email of the send goes out. Safe to repeat.
 *
 * @throws ServiceError `send_not_waiting` when an attempt is under way or over.
 */
export async function cancelSend(
  planned: PlannedSend,
  { contents, wakeSenders, ...changing }: PlanChanging & ContentRemoving,
  log: RequestLog,
) {
  const { webhooks: subscriptions = {} } = (await organizationOf(planned, changing)) ?? {};
  let deliveries: readonly Delivery[] = [];
  const canceled = await changePlan(planned, changing, async (send, now) => {
    if (send.status === 'canceled') return send;
    requireWaiting(send, now);
    // If this process dies, a worker deletes the canceled send's content.
    await wakeSenders([{ slotId: slotIdIn(send.id), delayMs: lookAgainMs }]);
    const entry = entryOf(planned, { action: 'send.canceled' }, now);
    deliveries = emailCanceledDeliveries(send, subscriptions, now);
    const claimId = newNonce();
    const isCanceled = await cancelWaiting(changing.table, send, {
      claimId,
      now,
      deliveries,
      entry,
    });
    return isCanceled ? { ...factsOf(send), status: 'canceled' } : undefined;
  });
  await Promise.all([
    removeContent(canceled, { contents, wakeSenders }, log),
    changing.wakeWebhooks(deliveries),
  ]);
  return sendResponseOf(canceled, 'canceled');
}

type Moving = PlanChanging & {
  readonly wakeSenders: (sends: readonly SendToWake[]) => Promise<void>;
  readonly patienceMs: number;
  /** At most; an organization may keep its sends for fewer days. */
  readonly sendRetentionDays: number;
};

/**
 * A moment just past means at once.
 *
 * @throws ServiceError `send_not_waiting` when an attempt is under way or over.
 */
export async function moveSend(planned: PlannedSend, sendAt: number, moving: Moving) {
  const organization = await organizationOf(planned, moving);
  const { webhooks: subscriptions = {} } = organization ?? {};
  const retentionDays = retentionDaysOf(organization, moving.sendRetentionDays);
  let deliveries: readonly Delivery[] = [];
  const moved = await changePlan(planned, moving, async (send, now) => {
    requireWaiting(send, now);
    if (sendAt > send.createdAt + longestAheadMs) throw tooFarAhead();
    requireNotLongPast(sendAt, now);
    const next = movedTo(sendAt, send, now, { ...moving, retentionDays });
    await keepKey(moving.table, next, now);
    const isAsBefore = next.dueAt === send.dueAt && next.status === send.status;
    deliveries = isAsBefore ? [] : deliveriesOfPlan(next, subscriptions, now);
    const change = { action: 'send.moved', ...differenceOf(timeOf(send), timeOf(next)) };
    const entry = entryOf(planned, change, now);
    return (await moveWaiting(moving.table, send, next, { deliveries, entry })) ? next : undefined;
  });
  await Promise.all([
    moving.wakeSenders(wakeFor(moved, moving.now())),
    moving.wakeWebhooks(deliveries),
  ]);
  return sendResponseOf(moved, moved.status);
}

const organizationOf = ({ caller: { organizationId } }: PlannedSend, { table }: PlanChanging) =>
  getOrganization(table, organizationId);

const entryOf = (
  { id, caller: { organizationId, actor } }: PlannedSend,
  change: Omit<Change, 'target'>,
  now: number,
): AuditEntry => newAuditEntry(organizationId, actor, { ...change, target: id }, now);

const timeOf = ({ sendAt }: Send) => ({ ...(sendAt !== undefined && { sendAt }) });

/** Kept for the whole retention after its new moment. An earlier moment doesn't shorten how long it's kept. */
export function movedTo(
  sendAt: number,
  send: WaitingSend,
  now: number,
  { patienceMs, retentionDays }: { readonly patienceMs: number; readonly retentionDays: number },
): MovedSend {
  const dueAt = Math.max(now, sendAt);
  return {
    ...send,
    status: dueAt > now ? 'scheduled' : 'queued',
    claimId: newNonce(),
    sendAt,
    dueAt,
    dueSince: dueAt,
    giveUpAt: dueAt + patienceMs,
    expiresAt: Math.max(send.expiresAt, expiryAfter(dueAt, retentionDays)),
    updatedAt: now,
  };
}

/** A freed key leads to its send only while the send in its slot exists: see `keepOrigin`. */
async function keepKey(table: Table, send: Send, now: number): Promise<void> {
  const { id, idempotencyKey } = send;
  if (idempotencyKey === undefined) return;
  const slotId = slotIdOf(organizationIdOf(id), idempotencyKey, { isTest: isTestSend(send) });
  const origin = (await getKeyedSend(table, slotId, now))?.origin;
  if (origin?.freed !== undefined && origin.id !== id) await keepOrigin(table, origin, send);
}

async function changePlan<Changed extends Send>(
  { id, caller }: PlannedSend,
  { table, now: readClock }: PlanChanging,
  change: (send: Send, now: number) => Promise<Changed | undefined>,
): Promise<Changed> {
  if (organizationIdOf(id) !== caller.organizationId) throw new ServiceError('send_not_found');
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const now = readClock();
    const send = await getSendInSlot(table, slotIdIn(id), now);
    const isTheirs = send?.id === id && (send.test || !caller.apiKey.test);
    if (!isTheirs) throw new ServiceError('send_not_found');
    const changed = await change(send, now);
    if (changed !== undefined) return changed;
  }
  throw new ServiceError('concurrent_change');
}

function requireWaiting(send: Send, now: number): asserts send is WaitingSend {
  if (!mayChangePlan(send, now)) throw new ServiceError('send_not_waiting');
}

const tooFarAhead = () =>
  invalidField('sendAt', `must be at most ${longestAheadDays} days after the send was made`);
