import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import { keyedDigestOf } from '#shared/tokens/signed-token';
import type { Contacts } from './contacts.ts';

const maxRequestsPerHour = 10;
/** Enough for the office behind one address; too few to try a list of addresses. */
const maxRequestsOfSource = 120;
const hourMs = 3_600_000;

/** The fixed window that `now` lies in, counted in hours from the epoch. */
export const hourOf = (now: number): number => Math.floor(now / hourMs);

/** When the window that `now` lies in ends, epoch milliseconds. */
export const hourEndOf = (now: number): number => (hourOf(now) + 1) * hourMs;

/** A request that names an address, without a token or a key. */
export type BareRequest = {
  /** `EmailAddress.identity` */
  readonly identity: string;
  /** The network that it came from: `http/source-address.ts`. */
  readonly source: string;
  /** Reads have a count of their own, so that nobody can keep a person from unsubscribing by reading. */
  readonly access: 'read' | 'change';
};

/**
 * Counts a request that names an address, without a token or a key: once for the address, and once for the network
 * that asks. It is counted before anything is looked up, so the counts say nothing about who knows the address.
 *
 * A network's count stands under a keyed digest of network and hour: there are few enough networks to try them all.
 *
 * @throws ServiceError `rate_limited` from the eleventh request of an hour for the address on, and from the 121st of
 *   one network.
 */
export async function admitBareAddress(
  { identity, source, access }: BareRequest,
  { bareAddresses, keyring, now }: Pick<Contacts, 'bareAddresses' | 'keyring' | 'now'>,
): Promise<void> {
  const at = now();
  const network = keyedDigestOf(await keyring(), `${source} ${hourOf(at)}`);
  const [ofAddress, ofSource] = await Promise.all([
    bareAddresses.count(access === 'read' ? `read ${identity}` : identity, at),
    bareAddresses.count(`source ${network}`, at),
  ]);
  if (ofAddress > maxRequestsPerHour) {
    throw refusal(`an address takes ${maxRequestsPerHour} requests an hour`, at);
  }
  if (ofSource > maxRequestsOfSource) {
    throw refusal(`a network may make ${maxRequestsOfSource} requests an hour`, at);
  }
}

const refusal = (limit: string, at: number): ServiceError =>
  new ServiceError(
    'rate_limited',
    `Without a token or a key, ${limit}. Nothing was done: wait for Retry-After, or use the link in an email.`,
    { retryAfterSeconds: secondsUntil(hourEndOf(at), at) },
  );
