import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '#shared/webhooks/webhook-url';

/** A name resolves to an address we must not connect to. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/**
 * Resolves names like `resolve`, but fails if any address isn't allowed (`isPublicAddress` in
 * `webhook-url.ts`). The connection uses this very resolution, so a name that changes its answer in between
 * (DNS rebinding) gains nothing.
 */
export const guardLookup =
  (resolve: LookupFunction, isAllowed = isPublicAddress): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, options, (error, answer, family) => {
      if (error) return done(error, answer, family);
      const addresses =
        typeof answer === 'string' ? [answer] : answer.map(({ address }) => address);
      // All must be allowed: the connection takes whichever answers first.
      const blocked = addresses.every(isAllowed) ? null : new BlockedAddressError();
      done(blocked, answer, family);
    });
  };
