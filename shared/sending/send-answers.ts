import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import { slotIdOf } from '#shared/tokens/resource-id';
import type { Admission } from './admission.ts';
import type { ClaimOutcome, ClaimStore } from './claim-store.ts';
import { fingerprintOf, judgeStanding } from './idempotency.ts';
import type { Send, SendEndpoint, SendResponse } from './send.ts';

// The answers of a send other than that of an email that just went out. Each refusal says what to do next. Times are
// epoch milliseconds.

export type SendResult = { readonly response: SendResponse; readonly replayed: boolean };

export function answerUsedKey(
  verdict: Exclude<ClaimOutcome, { kind: 'claimed' }>,
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

export async function readStanding(
  { isTest, organization, request: { idempotencyKey } }: Admission,
  now: number,
  { claims }: { readonly claims: Pick<ClaimStore, 'get'> },
): Promise<Send | undefined> {
  return idempotencyKey === undefined
    ? undefined
    : claims.get(slotIdOf(organization.id, idempotencyKey, { isTest }), now);
}

/**
 * Without a claim.
 *
 * @returns `undefined` if the request may make an attempt.
 * @throws ServiceError if its attempt is under way, or the key is another request's.
 */
export const knownAnswer = async (
  endpoint: SendEndpoint,
  admission: Admission,
  now: number,
  sending: { readonly claims: Pick<ClaimStore, 'get'> },
): Promise<SendResult | undefined> =>
  answerOf(endpoint, admission, await readStanding(admission, now, sending), now);

/** The same, of the send that was read. */
export function answerOf(
  endpoint: SendEndpoint,
  { apiKey, request }: Admission,
  standing: Send | undefined,
  now: number,
): SendResult | undefined {
  if (standing === undefined) return undefined;
  const asked = { fingerprint: fingerprintOf(endpoint, request), apiKeyId: apiKey?.id };
  const verdict = judgeStanding(standing, asked, now);
  return verdict.kind === 'next_attempt' ? undefined : answerUsedKey(verdict, now);
}

const keyReused = ({ byAnotherKey = false }: { readonly byAnotherKey?: boolean }) =>
  new ServiceError(
    'idempotency_key_reused',
    byAnotherKey
      ? 'This idempotency key was used by another API key of your organization, for a different request. Use a new key for a new email. If that request was not yours, a manager can free the key: DELETE /api/v1/idempotency-keys/{key}.'
      : 'This idempotency key was used for a different request. Repeat that request, or use a new key for a new email.',
  );

export const inProgress = (retryAt: number, now: number): ServiceError =>
  new ServiceError(
    'idempotency_in_progress',
    'A request with this idempotency key is under way, or its outcome is being found out. Wait for Retry-After, then retry with the same key.',
    { retryAfterSeconds: secondsUntil(retryAt, now) },
  );

export const rejected = (reason: string): ServiceError =>
  new ServiceError(
    'provider_rejected',
    `The email provider refused the email (${reason}). Nothing was sent; a retry with the same key is the next attempt of this send.`,
  );

/** What SES certainly didn't take may be retried soon. */
const notTakenRetryAfterSeconds = 5;

export const throttled = (): ServiceError =>
  new ServiceError(
    'provider_throttled',
    'The email provider is limiting the sending rate. Nothing was sent; wait for Retry-After and retry with the same key.',
    { retryAfterSeconds: notTakenRetryAfterSeconds },
  );

export const unreachable = (cause: unknown): ServiceError =>
  new ServiceError(
    'provider_unreachable',
    'The email provider could not be reached. Nothing was sent; wait for Retry-After and retry with the same key.',
    { cause, retryAfterSeconds: notTakenRetryAfterSeconds },
  );

export function outcomeUnknown(
  { idempotencyKey, leaseExpiresAt }: Send,
  cause: unknown,
  now: number,
): ServiceError {
  if (idempotencyKey === undefined) {
    const detail =
      'The email may or may not have been sent. Without an idempotency key a retry may send it a second time; with one it is sent at most once.';
    return new ServiceError('provider_outcome_unknown', detail, { cause });
  }
  return new ServiceError(
    'provider_outcome_unknown',
    'The email may or may not have been sent. Wait for Retry-After and retry with the same key: it is then sent at most once.',
    { cause, retryAfterSeconds: secondsUntil(leaseExpiresAt, now) },
  );
}
