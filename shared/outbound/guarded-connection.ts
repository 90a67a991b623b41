import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as openHttp,
} from 'node:http';
import {
  type AgentOptions,
  Agent as HttpsAgent,
  request as openHttps,
  type RequestOptions,
} from 'node:https';
import type { LookupFunction } from 'node:net';
import {
  checkPublicUrl,
  isLoopbackAddress,
  isPublicAddress,
  type PublicUrlPolicy,
} from './public-url.ts';
import { createQueryLookup } from './query-lookup.ts';

type Opening = (
  url: URL,
  options: RequestOptions,
  onResponse: (response: IncomingMessage) => void,
) => ClientRequest;

export type GuardedConnection = {
  readonly url: URL;
  /** The request may close without an answer or an error. */
  readonly open: Opening;
  readonly agent: HttpAgent;
};

/** Connects to a URL that somebody else chose. */
type GuardedConnections = (
  url: string,
) => ({ readonly ok: true } & GuardedConnection) | { readonly ok: false; readonly reason: string };

export function openGuardedConnections(
  policy: PublicUrlPolicy,
  reuse: AgentOptions = {},
  resolve: LookupFunction = createQueryLookup(),
): GuardedConnections {
  const internet = {
    open: answeringUpgrades(openHttps),
    agent: new HttpsAgent({ ...reuse, lookup: guardLookup(resolve) }),
  };
  const thisMachine = {
    open: answeringUpgrades(openHttp),
    agent: new HttpAgent({ ...reuse, lookup: guardLookup(resolve, isLoopbackAddress) }),
  };
  return (text) => {
    const checked = checkPublicUrl(text, policy);
    if (!checked.ok) return checked;
    return { ...checked, ...(checked.url.protocol === 'https:' ? internet : thisMachine) };
  };
}

/**
 * A 101 is an answer without a body. Node would close the request without a word (Node.js API, `http` 'upgrade'), and
 * not even the end of its signal would be noticed.
 */
const answeringUpgrades =
  (open: Opening): Opening =>
  (url, options, onResponse) =>
    open(url, options, onResponse).on('upgrade', (response, socket) => {
      socket.destroy();
      onResponse(response);
      response.destroy();
    });

const unresolved = /^(?:ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EBADNAME)$/;

/** Codes of OpenSSL's verification don't all name the certificate (Node.js API, "X509 certificate error codes"). */
const untrusted =
  /CERT|SSL|TLS|LEAF_SIGNATURE|ISSUER|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH/;

/** A short stable word: the error's message may name internal hosts and addresses. */
export function failureClassOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown_error';
  if (error instanceof BlockedAddressError) return 'blocked_address';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'timeout';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (unresolved.test(code)) return 'name_not_resolved';
  if (untrusted.test(code)) return 'tls_error';
  return code === '' ? 'connection_error' : code.toLowerCase();
}

/** A name resolves to an address we must not connect to. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/**
 * Fails if any address isn't allowed (`isPublicAddress` in `public-url.ts`). The connection uses this same resolution,
 * so DNS rebinding gains nothing.
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
