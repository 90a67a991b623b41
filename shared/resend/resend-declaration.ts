import type { RateLimit } from '#shared/access/rate-limit';
import { secondsUntil } from '#shared/errors/service-error';
import { sendDeclaration } from '#shared/sending/send-declaration';

/** Headers of an answer that counts towards a cap of the key. */
const resendRateHeaderNames = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const;

const { reservation: _, ...sendingLambda } = sendDeclaration.lambda;

/**
 * What is true of the endpoints that send. They reserve no concurrency: a deployment that had reserved all it could would
 * have to give some back for routes that it may not use.
 */
export const resendSendDeclaration = {
  ...sendDeclaration,
  errorForm: 'resend',
  answerHeaders: ['Idempotency-Key', ...resendRateHeaderNames],
  lambda: { ...sendingLambda, stack: 'Resend' },
} as const;

/** `RateLimit-Reset` is in seconds from now. */
export const resendRateHeadersAt =
  (now: number) =>
  ({
    limit,
    remaining,
    resetAt,
  }: RateLimit): Record<(typeof resendRateHeaderNames)[number], string> => ({
    'RateLimit-Limit': `${limit}`,
    'RateLimit-Remaining': `${remaining}`,
    'RateLimit-Reset': `${secondsUntil(resetAt, now)}`,
  });
