import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import { capability } from '#shared/aws/capability';
import { issuerEnvironment } from '#shared/config/environment';
import { ServiceError } from '#shared/errors/service-error';
import {
  boundedFetch,
  type Issuer,
  issuerUnavailable,
  openIssuer,
  signatureAlgorithms,
} from './issuer.ts';

/** How long after it was made a logout token counts. */
const acceptedSeconds = 300;
/** How far clocks may differ. */
export const toleranceSeconds = 30;

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** OpenID Connect Back-Channel Logout 1.0 §2.4. */
const logoutClaims = z.object({
  iat: z.number(),
  jti: z.string().check(z.minLength(1)),
  sub: z.optional(z.string().check(z.minLength(1))),
  sid: z.optional(z.string().check(z.minLength(1))),
  events: z.record(z.string(), z.unknown()),
  /** A token with one is an ID token, which anybody who signs in has. */
  nonce: z.optional(z.never()),
});

export type Logout = {
  /** Absent: every session of the account. */
  readonly sid: string | undefined;
  readonly sub: string | undefined;
  /** When the issuer said so, in epoch milliseconds. */
  readonly at: number;
};

/** `undefined` if the deployment has no issuer. */
export const readsLogoutTokens = /* @__PURE__ */ capability(
  { environment: issuerEnvironment },
  (environment) => {
    const issuer = openIssuer(environment);
    return issuer && { issuer: issuer.url, read: logoutReader(issuer) };
  },
);

/**
 * Reads the issuer's keys when they're first needed, and at most every 30 s for a key that it doesn't know.
 *
 * @returns reads a token; throws ServiceError `oidc_logout_token_invalid`
 */
export function logoutReader(issuer: Issuer): (token: string) => Promise<Logout> {
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  const keysOf = async () => {
    if (keys !== undefined) return keys;
    const { jwks_uri: address = '' } = (await issuer.configuration()).serverMetadata();
    const fetching = boundedFetch(issuer.allowsLoopbackHttp);
    keys = createRemoteJWKSet(new URL(address), {
      timeoutDuration: 5_000,
      [customFetch]: (url, { headers, method, redirect, signal }) =>
        fetching(url, {
          headers: Object.fromEntries(new Headers(headers)),
          method,
          redirect,
          signal,
          body: undefined,
        }),
    });
    return keys;
  };
  return async (token) => {
    const keySet = await keysOf();
    try {
      const { payload } = await jwtVerify(token, keySet, {
        issuer: issuer.url,
        audience: issuer.clientId,
        algorithms: signatureAlgorithms,
        maxTokenAge: acceptedSeconds,
        clockTolerance: toleranceSeconds,
      });
      return logoutOf(payload);
    } catch (cause) {
      throw isOfToken(cause)
        ? new ServiceError('oidc_logout_token_invalid', undefined, { cause })
        : issuerUnavailable(cause);
    }
  };
}

function logoutOf(payload: JWTPayload): Logout {
  const claims = logoutClaims.safeParse(payload);
  if (!claims.success) throw new NotOfLogout();
  const { sub, sid, iat, events } = claims.data;
  const isLogout = typeof events[logoutEvent] === 'object' && events[logoutEvent] !== null;
  if (!isLogout || (sub === undefined && sid === undefined)) throw new NotOfLogout();
  return { sub, sid, at: iat * 1_000 };
}

class NotOfLogout extends Error {
  override readonly name = 'NotOfLogout';
}

/** Otherwise the keys couldn't be read. */
const isOfToken = (error: unknown): boolean =>
  error instanceof NotOfLogout ||
  (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout));
