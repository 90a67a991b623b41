import * as z from 'zod/mini';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import { isSettled, isWaiting, type Send, stateAt } from '#shared/sending/send';
import { freeKey, getKeyedSend } from '#shared/sending/send-store';
import { slotIdOf } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/idempotency-keys/{key+}',
    access: {
      key: 'required',
      scope: 'manage_organization',
      takesTestKeys: true,
      scopeOfTestKeys: 'send_email',
    },
    path: z.object({ key: z.string() }),
    query: z.strictObject({ test: z.optional(z.enum(['true', 'false'])) }),
    unmatchedPath: 'idempotency_key_not_found',
    answers: { 204: { description: 'The key is free.' } },
    errors: ['idempotency_in_progress', 'send_in_doubt', 'send_waiting', 'concurrent_change'],
    isLimited: true,
    lambda: { stack: 'Organizations', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
    words: {
      section: 'Sends',
      summary: 'Free an idempotency key',
      description: `For a key that was used by mistake, or with a leaked API key. The next request with the key makes a new email. The send that had the key stays, readable by its ID.

Test emails have separate idempotency keys. A test key with \`send_email\` frees those of test emails, and so does \`test=true\`. That doesn’t change the organization, so it isn’t in the audit.

The send must be settled: \`sent\`, \`suppressed\`, \`canceled\`, or \`failed\` for a reason that SES gave. As long as SES may have the email, a freed key could send a second one.

API Gateway cuts a path at \`?\`, percent-encoded or not, so a key with \`?\` or \`#\` can’t be freed.`,
      fields: {
        key: 'The idempotency key, URL-encoded.',
        test: '`true`: a key of test emails. Always so with a test key.',
      },
      example: { path: { key: 'welcome-ann' } },
    },
  },
  // The next request with the key makes a new email. The audit entry names the send by its feedback id, as a key may
  // contain an address.
  async (
    { caller: { organizationId, actor, apiKey }, path: { key }, query },
    { table, now: readClock },
  ) => {
    const isTest = apiKey.test === true || query.test === 'true';
    const slotId = slotIdOf(organizationId, key, { isTest });
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const now = readClock();
      const keyed = await getKeyedSend(table, slotId, now);
      if (keyed === undefined) throw new ServiceError('idempotency_key_not_found');
      requireSettled(keyed.send, now);
      const change = { action: 'idempotency_key.freed', target: keyed.send.feedbackId };
      const entry = isTest ? undefined : newAuditEntry(organizationId, actor, change, now);
      if ((await freeKey(table, keyed, entry)) === 'freed') return;
    }
    throw new ServiceError('concurrent_change');
  },
);

const maxTries = 2;

function requireSettled(send: Send, now: number): void {
  if (isSettled(send, now)) return;
  if (isWaiting(send)) throw new ServiceError('send_waiting');
  if (stateAt(send, now).status !== 'sending') throw new ServiceError('send_in_doubt');
  const retryAfterSeconds = secondsUntil(send.leaseExpiresAt, now);
  throw new ServiceError('idempotency_in_progress', undefined, { retryAfterSeconds });
}
