import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './webhook-url.ts';

/** A name's answer holds an address that must not be connected to. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/**
 * Resolves names as `resolve` does, and fails when one of the addresses is not allowed. Given to a
 * connection it is the resolution that the connection uses: what was checked is what is connected to,
 * so a name that changes its answer in between (DNS rebinding) gains nothing.
 */
export const guardLookup =
  (resolve: LookupFunction, isAllowed = isPublicAddress): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, options, (error, answer, family) => {
      if (error) return done(error, answer, family);
      const addresses =
        typeof answer === 'string' ? [answer] : answer.map(({ address }) => address);
      // All of them: which one is connected to is chosen later, by what answers first.
      const blocked = addresses.every(isAllowed) ? null : new BlockedAddressError();
      done(blocked, answer, family);
    });
  };
