import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import type { Contacts } from './contacts.ts';

const maxRequestsPerHour = 10;
const hourMs = 3_600_000;

/** The fixed window that `now` lies in, counted in hours from the epoch. */
export const hourOf = (now: number): number => Math.floor(now / hourMs);

/** When the window that `now` lies in ends, epoch milliseconds. */
export const hourEndOf = (now: number): number => (hourOf(now) + 1) * hourMs;

/**
 * Counts a request that wants to change something and names an address, without a token or a key. It is
 * counted before anything is looked up, so the count says nothing about who knows the address.
 *
 * @param identity `EmailAddress.identity`
 * @throws ServiceError `rate_limited` from the eleventh request of an hour on.
 */
export async function admitBareAddress(
  identity: string,
  { bareAddresses, now }: Pick<Contacts, 'bareAddresses' | 'now'>,
): Promise<void> {
  const at = now();
  const requests = await bareAddresses.count(identity, at);
  if (requests <= maxRequestsPerHour) return;
  throw new ServiceError(
    'rate_limited',
    `Without a token or a key, an address takes ${maxRequestsPerHour} requests an hour. Nothing was changed: wait for Retry-After, or use the link in an email.`,
    { retryAfterSeconds: secondsUntil(hourEndOf(at), at) },
  );
}
