import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstAttemptGraceMs, leaseMs } from '#shared/webhook-deliveries/delivery';
import { longestTriedMs } from '#shared/webhook-deliveries/longest-tried';
import { retryDelayMs } from '#shared/webhooks/retry-delay';

it.each([{}, { format: 'resend' } as const])(
  'the longest time that deliveries to %o are tried covers all attempts and the delays between them',
  (format) => {
    const jitters = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const asked = fc.option(fc.double({ min: 0, noNaN: true }), { nil: undefined });
    const delays = fc.array(fc.tuple(jitters, asked), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(delays, (drawn) => {
        const webhook = { ...format, maxAttempts: drawn.length };
        const tried = drawn.reduce(
          (sum, [jitter, retryAfterMs], index) =>
            sum + leaseMs + retryDelayMs(webhook, index + 1, jitter, retryAfterMs),
          firstAttemptGraceMs,
        );

        expect(longestTriedMs(webhook, 5)).toBeGreaterThanOrEqual(tried);
      }),
    );
  },
);
