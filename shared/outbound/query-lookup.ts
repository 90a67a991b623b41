import { lookup, Resolver } from 'node:dns';
import type { LookupFunction } from 'node:net';

type Query = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: string[]) => void,
) => void;
type Querying = { readonly resolve4: Query; readonly resolve6: Query };

/** Limits how long a silent name server can hold up a connection. */
const patience = { timeout: 2_000, tries: 2 } as const;

/**
 * Asks the name server. The usual lookup blocks one of Node's four threads until the system gives up, so four names
 * with silent servers would hold up all other lookups.
 */
export function createQueryLookup(resolver: Querying = new Resolver(patience)): LookupFunction {
  return (hostname, options, done) => {
    if (hostname === 'localhost') return lookup(hostname, options, done);
    const answer = (addresses: readonly string[], family: 4 | 6) => {
      const [first = ''] = addresses;
      if (options.all !== true) return done(null, first, family);
      done(
        null,
        addresses.map((address) => ({ address, family })),
      );
    };
    resolver.resolve4(hostname, (error, addresses) => {
      if (error === null && addresses.length > 0) return answer(addresses, 4);
      resolver.resolve6(hostname, (failure, others) => {
        if (failure === null && others.length > 0) return answer(others, 6);
        done(error ?? failure ?? new Error('no address'), '');
      });
    });
  };
}
