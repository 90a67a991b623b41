import { capability } from '#shared/aws/capability';
import { contactEnvironment } from '#shared/config/environment';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import type { TableAndClock } from '#shared/table/table-client';
import { hourEndOf, hourOf } from '#shared/timing/hour';
import { type Keyring, keyedDigestOf } from '#shared/tokens/signed-token';
import { countBareAddress } from './bare-address-store.ts';

/** What the deployment decides about requests without a key or token. */
export const knowsStrangerRules = /* @__PURE__ */ capability(
  { environment: contactEnvironment },
  ({ PREFERENCES_BY_ADDRESS, PROXIES_IN_FRONT }) => ({
    /** The default; the organization's own setting comes first. */
    preferencesByAddress: PREFERENCES_BY_ADDRESS,
    proxiesInFront: PROXIES_IN_FRONT,
  }),
);

export const maxRequestsPerHour = 10;
/** Enough for the office behind one address; too few to try a list of addresses. */
const maxRequestsOfSource = 120;

export type BareRequest = {
  /** `EmailAddress.identity` */
  readonly identity: string;
  /** See `http/source-address.ts`. */
  readonly network: string;
  /** Counted separately: reading must not keep a person from unsubscribing, or signing in. */
  readonly access: 'read' | 'change' | 'sign in';
};

type StrangerCounting = TableAndClock & {
  readonly keyring: () => Promise<Keyring>;
};

/** A keyed digest of network and hour: a plain digest could be reversed by trying every network. */
async function nameOfSource(
  network: string,
  at: number,
  keyring: () => Promise<Keyring>,
): Promise<string> {
  return `source ${keyedDigestOf(await keyring(), `${network} ${hourOf(at)}`)}`;
}

/**
 * Counts once for the network that asks, apart from its requests about addresses, before anything is looked up.
 *
 * @throws ServiceError `rate_limited` once the network has used up its hour
 */
export async function admitPasskey(
  network: string,
  { table, now, keyring }: StrangerCounting,
): Promise<void> {
  const at = now();
  const source = await nameOfSource(network, at, keyring);
  if ((await countBareAddress(table, `passkey ${source}`, at)) <= maxRequestsOfSource) return;
  throw refusal(
    `a network may sign in with passkeys ${maxRequestsOfSource} times an hour`,
    'wait for Retry-After, or sign in with a link',
    at,
  );
}

/**
 * Counts once for the address, and once for the network that asks, before anything is looked up: the counts reveal
 * nothing about who knows the address.
 *
 * @throws ServiceError `rate_limited` once an address or a network has used up its hour
 */
export async function admitBareAddress(
  { identity, network, access }: BareRequest,
  { table, now, keyring }: StrangerCounting,
): Promise<void> {
  const at = now();
  const source = await nameOfSource(network, at, keyring);
  const [ofAddress, ofSource] = await Promise.all([
    countBareAddress(table, access === 'change' ? identity : `${access} ${identity}`, at),
    countBareAddress(table, source, at),
  ]);
  const whatToDo = access === 'sign in' ? 'wait for Retry-After' : withoutWaiting;
  if (ofAddress > maxRequestsPerHour) {
    throw refusal(
      `an address may be asked about ${maxRequestsPerHour} times an hour`,
      whatToDo,
      at,
    );
  }
  if (ofSource > maxRequestsOfSource) {
    throw refusal(`a network may make ${maxRequestsOfSource} requests an hour`, whatToDo, at);
  }
}

const withoutWaiting = 'wait for Retry-After, or use the link in an email';

const refusal = (limit: string, whatToDo: string, at: number): ServiceError =>
  new ServiceError(
    'rate_limited',
    `Without a token or key, ${limit}. Nothing was done: ${whatToDo}.`,
    { retryAfterSeconds: secondsUntil(hourEndOf(at), at) },
  );
