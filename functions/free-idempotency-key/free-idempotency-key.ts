import { newAuditEntry } from '#shared/audit/audit-entry';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import type { KeyFreeingStore } from '#shared/sending/key-freeing-store';
import { isSettled, isWaiting, type Send, stateAt } from '#shared/sending/send';
import { slotIdOf } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

const maxTries = 2;

/**
 * The next request with the key makes a new email. The audit entry names the send by its feedback id, as a key may
 * contain an address.
 */
export async function freeIdempotencyKey(
  { caller: { organizationId, actor, apiKey }, path: { key }, query }: RequestTo<typeof endpoint>,
  { keys, now: readClock }: { readonly keys: KeyFreeingStore; readonly now: () => number },
): Promise<undefined> {
  const isTest = apiKey.test === true || query.test === 'true';
  const slotId = slotIdOf(organizationId, key, { isTest });
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const now = readClock();
    const keyed = await keys.find(slotId, now);
    if (keyed === undefined) throw new ServiceError('idempotency_key_not_found');
    requireSettled(keyed.send, now);
    const change = { action: 'idempotency_key.freed', target: keyed.send.feedbackId };
    const entry = isTest ? undefined : newAuditEntry(organizationId, actor, change, now);
    if ((await keys.free(keyed, entry)) === 'freed') return;
  }
  throw new ServiceError('concurrent_change');
}

function requireSettled(send: Send, now: number): void {
  if (isSettled(send, now)) return;
  if (isWaiting(send)) throw new ServiceError('send_waiting');
  if (stateAt(send, now).status !== 'sending') throw new ServiceError('send_in_doubt');
  const retryAfterSeconds = secondsUntil(send.leaseExpiresAt, now);
  throw new ServiceError('idempotency_in_progress', undefined, { retryAfterSeconds });
}
