import type { ShownRateLimit } from '#shared/access/request-context';
import { secondsUntil } from '#shared/errors/service-error';
import { sendDeclaration, unreservedSending } from '#shared/sending/send-declaration';

/** For answers that count towards a cap of the key. */
const resendRateHeaderNames = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const;

export const resendSendDeclaration = {
  ...sendDeclaration,
  errorForm: 'resend',
  answerHeaders: ['Idempotency-Key', ...resendRateHeaderNames],
  lambda: { ...unreservedSending, stack: 'Resend' },
} as const;

/** `RateLimit-Reset` is in seconds from now. */
export const resendRateHeadersAt =
  (now: number) =>
  ({
    limit,
    remaining,
    resetAt,
  }: ShownRateLimit): Record<(typeof resendRateHeaderNames)[number], string> => ({
    'RateLimit-Limit': `${limit}`,
    'RateLimit-Remaining': `${remaining}`,
    'RateLimit-Reset': `${secondsUntil(resetAt, now)}`,
  });
