import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import { changedMeanwhile } from '#shared/organizations/change-organization';
import type { KeyFreeingStore } from '#shared/sending/key-freeing-store';
import { isSettled, type Send, stateAt } from '#shared/sending/send';
import { slotIdOf } from '#shared/tokens/resource-id';

const maxTries = 2;

/**
 * Frees an idempotency key of the key's organization, so that the next request with it makes a new email. The audit
 * names the send by its feedback id: an idempotency key may hold an address.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `idempotency_key_not_found`, `idempotency_in_progress`,
 *   `send_in_doubt`, `concurrent_change`
 */
export async function freeIdempotencyKey(
  credential: string | undefined,
  key: string | undefined,
  { keys, ...authentication }: Authentication & { readonly keys: KeyFreeingStore },
): Promise<void> {
  const { organizationId, actor } = await authenticateManager(credential, authentication);
  if (key === undefined) throw keyNotFound();
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const now = authentication.now();
    const keyed = await keys.find(slotIdOf(organizationId, key), now);
    if (keyed === undefined) throw keyNotFound();
    requireSettled(keyed.send, now);
    const change = { action: 'idempotency_key.freed', target: keyed.send.feedbackId };
    const entry = newAuditEntry(organizationId, actor, change, now);
    if ((await keys.free(keyed, entry)) === 'freed') return;
  }
  throw changedMeanwhile('The send with this idempotency key');
}

function requireSettled(send: Send, now: number): void {
  if (isSettled(send, now)) return;
  if (stateAt(send, now).status === 'sending') {
    throw new ServiceError(
      'idempotency_in_progress',
      'A request with this idempotency key is under way, or its outcome is being found out. Wait for Retry-After, then free the key.',
      { retryAfterSeconds: secondsUntil(send.leaseExpiresAt, now) },
    );
  }
  throw new ServiceError(
    'send_in_doubt',
    'Nobody knows whether SES took the email of this key, so freeing it could send a second one. Repeat the request that made it: that settles the send. Or use another key.',
  );
}

const keyNotFound = (): ServiceError =>
  new ServiceError(
    'idempotency_key_not_found',
    'No send has this idempotency key. It is free, or it is older than your sends are kept.',
  );
