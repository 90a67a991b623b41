import type { Claim } from '#shared/sending/claim-store';
import { buildSend } from './send-builder.ts';

export const claimNow = 1_750_000_000_000;

/** A claim under an idempotency key, made now and leased for five minutes. */
export const buildClaim = (overrides: Partial<Claim> = {}): Claim => ({
  send: buildSend({ idempotencyKey: 'key-1' }),
  fingerprint: 'request-1',
  now: claimNow,
  leaseExpiresAt: claimNow + 300_000,
  keyExpiresAt: claimNow / 1000 + 2_592_000,
  ...overrides,
});
