import type { RateLimit } from '#shared/access/rate-limit';
import { secondsUntil } from '#shared/errors/service-error';
import { sendDeclaration } from '#shared/sending/send-declaration';

/** What every endpoint under `/resend` is. */
export const resendDeclaration = { errorForm: 'resend' } as const;

const { reservation: _, ...sendingLambda } = sendDeclaration.lambda;

/**
 * Of the functions that send. They reserve no concurrency: a deployment that had reserved all it could would have to
 * give some back for routes that it may not use.
 */
export const resendSendingLambda = { ...sendingLambda, stack: 'Resend' } as const;

/** Headers of an answer that counts towards a cap of the key. */
export const resendRateHeaderNames = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const;

/** `RateLimit-Reset` is in seconds from now. */
export const resendRateHeaders = (
  { limit, remaining, resetAt }: RateLimit,
  now: number,
): Record<(typeof resendRateHeaderNames)[number], string> => ({
  'RateLimit-Limit': `${limit}`,
  'RateLimit-Remaining': `${remaining}`,
  'RateLimit-Reset': `${secondsUntil(resetAt, now)}`,
});
