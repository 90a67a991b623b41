import type { ContentStore } from '#shared/content/content-store';
import type { Delivery } from '#shared/deliveries/delivery';
import type { WakeQueue } from '#shared/deliveries/sqs-delivery-queue';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import type { KeyedSendStore } from '#shared/sending/claim-store';
import { type Send, sendResponseOf } from '#shared/sending/send';
import {
  newNonce,
  organizationIdOf,
  type SendId,
  slotIdIn,
  slotIdOf,
} from '#shared/tokens/resource-id';
import { removeContent, scheduledRows, wakeFor } from './send-later.ts';
import type { SendToWake } from './send-queue.ts';
import { longestAheadDays, longestAheadMs, mayChangePlan } from './waiting.ts';
import type { WaitingStore } from './waiting-store.ts';

export type PlanChanging = {
  readonly now: () => number;
  readonly waiting: Pick<WaitingStore, 'get' | 'cancel' | 'move'>;
};

const maxTries = 3;

/**
 * Calls off a send that waits. Once this has returned, no email of the send goes out. Repeating it is safe.
 *
 * @throws ServiceError `send_not_waiting` when an attempt is under way or over.
 */
export async function cancelSend(
  id: SendId,
  { contents, ...changing }: PlanChanging & { readonly contents: Pick<ContentStore, 'remove'> },
  log: RequestLog,
) {
  const canceled = await changePlan(id, changing, async (send, now) => {
    if (send.status === 'canceled') return send;
    requireWaiting(send, now);
    const isCanceled = await changing.waiting.cancel(send, newNonce(), now);
    return isCanceled ? { ...send, status: 'canceled' } : undefined;
  });
  await removeContent(canceled, { contents }, log);
  return sendResponseOf(canceled, 'canceled');
}

export type Moving = PlanChanging & {
  readonly keyed: Pick<KeyedSendStore, 'find' | 'keepOrigin'>;
  readonly wakeSenders: (sends: readonly SendToWake[]) => Promise<void>;
  readonly patienceMs: number;
  readonly organizations: Pick<OrganizationStore, 'get'>;
  readonly wakeQueue: WakeQueue;
};

/**
 * Moves a send that waits to another moment. One that has passed means at once.
 *
 * @throws ServiceError `send_not_waiting` when an attempt is under way or over.
 */
export async function moveSend(id: SendId, sendAt: number, { keyed, ...moving }: Moving) {
  const organization = await moving.organizations.get(organizationIdOf(id));
  const webhooks = organization?.webhooks ?? {};
  let rows: readonly Delivery[] = [];
  const moved = await changePlan(id, moving, async (send, now) => {
    requireWaiting(send, now);
    if (sendAt > send.createdAt + longestAheadMs) throw tooFarAhead();
    const next = movedTo(sendAt, send, now, moving.patienceMs);
    await keepKey(next, keyed, now);
    rows = scheduledRows(next, webhooks, now);
    return (await moving.waiting.move(send, next, rows)) ? next : undefined;
  });
  await Promise.all([moving.wakeSenders(wakeFor(moved, moving.now())), moving.wakeQueue(rows)]);
  return sendResponseOf(moved, moved.status);
}

/** The send in its new place. Its rows are kept no shorter than before. */
export function movedTo(sendAt: number, send: Send, now: number, patienceMs: number): Send {
  const dueAt = Math.max(now, sendAt);
  const later = Math.max(0, dueAt - (send.dueAt ?? dueAt));
  return {
    ...send,
    status: dueAt > now ? 'scheduled' : 'queued',
    claimId: newNonce(),
    sendAt,
    dueAt,
    giveUpAt: dueAt + patienceMs,
    expiresAt: send.expiresAt + Math.ceil(later / 1_000),
    updatedAt: now,
  };
}

/** A key that was freed leads to its send as long as the send that has its slot is there: see `claim-store.ts`. */
async function keepKey(send: Send, keyed: Moving['keyed'], now: number): Promise<void> {
  const { id, idempotencyKey } = send;
  if (idempotencyKey === undefined) return;
  const found = await keyed.find(slotIdOf(organizationIdOf(id), idempotencyKey), now);
  if (found !== undefined && found.origin.id !== id) await keyed.keepOrigin(found.origin, send);
}

/** @param change returns the send as changed, or `undefined` if somebody else was faster. */
async function changePlan(
  id: SendId,
  { waiting, now: readClock }: PlanChanging,
  change: (send: Send, now: number) => Promise<Send | undefined>,
): Promise<Send> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const now = readClock();
    const send = await waiting.get(slotIdIn(id), now);
    if (send?.id !== id) throw new ServiceError('send_not_found');
    const changed = await change(send, now);
    if (changed !== undefined) return changed;
  }
  throw new ServiceError('concurrent_change');
}

function requireWaiting(send: Send, now: number): void {
  if (!mayChangePlan(send, now)) throw new ServiceError('send_not_waiting');
}

const tooFarAhead = () =>
  invalidField('sendAt', `must be at most ${longestAheadDays} days after the send was made`);
