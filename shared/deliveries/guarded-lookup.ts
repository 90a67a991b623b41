import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '#shared/webhooks/webhook-url';

/** A name resolves to an address that must not be connected to. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/**
 * Resolves names as `resolve` does, and fails if one of the addresses is not allowed. A connection uses
 * this very resolution, so the addresses that are checked are those that are connected to. A name that
 * changes its answer in between (DNS rebinding) gains nothing. `isPublicAddress` in `webhook-url.ts` says
 * which addresses are allowed.
 */
export const guardLookup =
  (resolve: LookupFunction, isAllowed = isPublicAddress): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, options, (error, answer, family) => {
      if (error) return done(error, answer, family);
      const addresses =
        typeof answer === 'string' ? [answer] : answer.map(({ address }) => address);
      // All of them must be allowed: the connection later takes the one that answers first.
      const blocked = addresses.every(isAllowed) ? null : new BlockedAddressError();
      done(blocked, answer, family);
    });
  };
