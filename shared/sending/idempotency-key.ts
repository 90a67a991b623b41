import { FarOverCapError } from '#shared/access/limit-sending';
import { longestAttemptMs } from '#shared/config/send-attempt-time';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import type { Table, TableAndClock } from '#shared/table/table-client';
import { slotIdOf } from '#shared/tokens/resource-id';
import type { AdmittedEmail } from './check-email.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { ParsedSendRequest } from './request/send-request.ts';
import {
  failureOf,
  type Send,
  type SendEndpoint,
  type SendResponse,
  sendResponseOf,
  stateAt,
} from './send.ts';
import { getKeyedSend } from './send-store.ts';

// What a request gets whose idempotency key has a send already. Times are epoch milliseconds.

/**
 * The idempotency key is the client's name for the send. It leads to the send's slot (`slotIdOf` in
 * `tokens/resource-id.ts`). If a request finds a send in its slot, the first row that fits says what it does:
 *
 * | the send in the slot                                    | what the request does                                   |
 * |---------------------------------------------------------|---------------------------------------------------------|
 * | has given up its key: a manager freed it                | claims the slot to which the key now leads              |
 * | is `failed`                                             | makes the next attempt, now or later, whatever its body |
 * | was made by a request for something else                | is refused: the key is reused                           |
 * | is `sent`, `suppressed` or `canceled`                   | replays the answer                                      |
 * | is `scheduled`, `queued`, or sent by a worker (`dueAt`) | replays its state so far: only workers attempt it       |
 * | is `sending` within its lease                           | waits: an attempt is under way, or in doubt             |
 * | is `sending` past its lease, and proven (`provenAt`)    | replays the answer: SES took the email                  |
 * | is `sending` past its lease                             | makes the next attempt: SES never took the email        |
 *
 * A lease lasts the doubt window: `DOUBT_WINDOW_SECONDS` in `config/environment.ts`. A send whose last attempt SES
 * refused while an earlier one was in doubt is `failed` once its lease has ended.
 */
export type Verdict =
  | { readonly kind: 'replay'; readonly response: SendResponse }
  /** `byAnotherKey`: the send was made with another API key. */
  | { readonly kind: 'key_reused'; readonly byAnotherKey?: true }
  | { readonly kind: 'in_progress'; readonly retryAt: number }
  | { readonly kind: 'next_attempt' };

/** While the first request may still run, a retry is asked to wait this long. */
export const pollMs = 1_000;

export function checkUsedKey(
  send: Send,
  { fingerprint, apiKeyId }: Pick<Send, 'fingerprint' | 'apiKeyId'>,
  now: number,
): Verdict {
  const { status } = stateAt(send, now);
  const hasKnownFailure = status === 'failed' && failureOf(send) !== undefined;
  if (hasKnownFailure) return { kind: 'next_attempt' };
  if (send.fingerprint !== fingerprint) {
    return { kind: 'key_reused', ...(send.apiKeyId !== apiKeyId && { byAnotherKey: true }) };
  }
  switch (status) {
    case 'scheduled':
    case 'queued':
    case 'sent':
    case 'suppressed':
    case 'canceled':
      return { kind: 'replay', response: sendResponseOf(send, status) };
    case 'failed':
      return { kind: 'next_attempt' };
    case 'sending':
      if (send.dueAt !== undefined) {
        return { kind: 'replay', response: sendResponseOf(send, status) };
      }
      return { kind: 'in_progress', retryAt: retryAtOf(send, now) };
  }
}

function retryAtOf({ claimedAt, leaseExpiresAt }: Send, now: number): number {
  const mayStillRun = now < claimedAt + longestAttemptMs;
  return mayStillRun ? Math.min(now + pollMs, leaseExpiresAt) : leaseExpiresAt;
}

export type SendResult = { readonly response: SendResponse; readonly replayed: boolean };

/** @throws ServiceError unless the first answer is replayed. */
export function answerUsedKey(
  verdict: Exclude<Verdict, { kind: 'next_attempt' }>,
  now: number,
): SendResult {
  switch (verdict.kind) {
    case 'replay':
      return { response: verdict.response, replayed: true };
    case 'in_progress':
      throw inProgress(verdict.retryAt, now);
    case 'key_reused':
      throw keyReused(verdict);
  }
}

/** Who asks, and for what. */
type Asking = Pick<AdmittedEmail, 'apiKey' | 'organization'> & {
  readonly request: ParsedSendRequest;
};

/** The send that a request's key leads to now, if it has one. */
export async function existingSend(
  table: Table,
  { apiKey, organization, request }: Asking,
  now: number,
): Promise<Send | undefined> {
  if (!request.ok || request.value.idempotencyKey === undefined) return undefined;
  const isTest = apiKey?.test === true;
  const slotId = slotIdOf(organization.id, request.value.idempotencyKey, { isTest });
  return (await getKeyedSend(table, slotId, now))?.send;
}

/**
 * Answers by the send that the key led to, without a claim.
 *
 * @returns `undefined` if the request may make an attempt.
 * @throws ServiceError if its attempt is under way, or the key is another request's.
 */
export function answerBy(
  existing: Send | undefined,
  endpoint: SendEndpoint,
  { apiKey, request }: Pick<Asking, 'apiKey' | 'request'>,
  now: number,
): SendResult | undefined {
  if (existing === undefined || !request.ok) return undefined;
  const asked = { fingerprint: fingerprintOf(endpoint, request.value), apiKeyId: apiKey?.id };
  const verdict = checkUsedKey(existing, asked, now);
  return verdict.kind === 'next_attempt' ? undefined : answerUsedKey(verdict, now);
}

/**
 * The answer that the key of a refused request got before, if any: what is refused today may have gone out yesterday. A
 * limit is used up, the template is gone, sending is paused; the key's first answer stands. Only refused requests pay
 * for this read.
 *
 * @throws ServiceError as `answerBy`.
 */
export async function earlierAnswer(
  refusal: ServiceError,
  endpoint: SendEndpoint,
  asking: Asking,
  { table, now: readClock }: TableAndClock,
): Promise<SendResult | undefined> {
  if (refusal instanceof FarOverCapError) return undefined;
  const now = readClock();
  return answerBy(await existingSend(table, asking, now), endpoint, asking, now);
}

const keyReused = ({ byAnotherKey = false }: { readonly byAnotherKey?: boolean }) =>
  new ServiceError(
    'idempotency_key_reused',
    byAnotherKey
      ? 'This idempotency key was used by another API key of your organization, for a different request. Use a new key for a new email. If that request wasn’t yours, a manager can free the key: DELETE /api/v1/idempotency-keys/{key}.'
      : 'This idempotency key was used for a different request. Repeat that request, or use a new key for a new email.',
  );

const inProgress = (retryAt: number, now: number): ServiceError =>
  new ServiceError(
    'idempotency_in_progress',
    'A request with this idempotency key is in progress, or its outcome isn’t known yet. Wait for Retry-After, then retry with the same key.',
    { retryAfterSeconds: secondsUntil(retryAt, now) },
  );
