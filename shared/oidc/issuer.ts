import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client';
import * as z from 'zod/mini';
import { keyShownMs } from '#shared/access/sign-in';
import { capability } from '#shared/aws/capability';
import { issuerEnvironment, issuerSignInEnvironment } from '#shared/config/environment';
import { secretReader } from '#shared/config/secret';
import { ServiceError } from '#shared/errors/service-error';
import {
  type Claims,
  claimsSchema,
  lacksClaims,
  type RoleRule,
  roleRuleSchema,
} from './role-rules.ts';
import type { SignInState } from './sign-in-state.ts';

/** Asymmetric ones. `none` isn't a signature, and with `HS256` whoever has the client's secret could sign. */
export const signatureAlgorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** The issuer of people's sign-ins. */
export type Issuer = {
  /** As its tokens name it. */
  readonly url: string;
  readonly clientId: string;
  readonly publicBaseUrl: string;
  readonly allowsLoopbackHttp: boolean;
  /** What it says about itself, asked for once an hour. */
  readonly configuration: () => Promise<Configuration>;
};

export type SignInIssuer = Issuer & { readonly rules: readonly RoleRule[] };

/** `undefined` if the deployment has none. */
export const knowsIssuer = /* @__PURE__ */ capability(
  { environment: issuerEnvironment },
  (environment) => openIssuer(environment),
);

/** As `knowsIssuer`, and proves to it that it's this service which asks. */
export const signsInAtIssuer = /* @__PURE__ */ capability(
  { environment: issuerSignInEnvironment, readsOidcSecret: true },
  (environment): SignInIssuer | undefined => {
    const { OIDC_SECRET_ID: secretId, OIDC_ROLES } = environment;
    if (secretId === undefined) return undefined;
    const secret = secretReader(secretId, z.string().check(z.minLength(1)));
    const issuer = openIssuer(environment, (methods) => authenticating(methods, secret));
    return issuer && { ...issuer, rules: z.array(roleRuleSchema).parse(OIDC_ROLES) };
  },
);

/** By the method that OpenID Connect requires of issuers, unless this one names others only. */
function authenticating(
  methods: readonly string[] | undefined,
  secret: () => Promise<string>,
): ClientAuth {
  const method =
    methods?.includes('client_secret_basic') === false ? ClientSecretPost : ClientSecretBasic;
  return async (...request) => method(await secret())(...request);
}

type Authentication = (methods: readonly string[] | undefined) => ClientAuth;

export function openIssuer(
  {
    OIDC_ISSUER: url,
    OIDC_CLIENT_ID: clientId,
    ...environment
  }: z.output<typeof issuerEnvironment>,
  authentication: Authentication = () => None(),
): Issuer | undefined {
  if (url === undefined || clientId === undefined) return undefined;
  const allowsLoopbackHttp = environment.OIDC_ALLOW_LOOPBACK_HTTP;
  const { PUBLIC_BASE_URL: publicBaseUrl } = environment;
  const issuer = { url, clientId, publicBaseUrl, allowsLoopbackHttp };
  return { ...issuer, configuration: keptFor(hourMs, () => discover(issuer, authentication)) };
}

const hourMs = 3_600_000;

/** Asks again after some time; until that succeeds, what it last got counts. A first failure counts for a moment. */
function keptFor<Value>(ms: number, ask: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly until: number; readonly value: Promise<Value> } | undefined;
  return async () => {
    if (kept !== undefined && Date.now() < kept.until) return kept.value;
    const last = kept?.value;
    const value = last === undefined ? ask() : ask().catch(() => last);
    kept = { until: Date.now() + ms, value };
    try {
      return await value;
    } catch (error) {
      // Strangers may ask, and each would wait as long.
      kept = { until: Date.now() + failureMs, value };
      throw error;
    }
  };
}

const failureMs = 10_000;

export const issuerUnavailable = (cause: unknown): ServiceError =>
  new ServiceError('oidc_unavailable', undefined, { cause, retryAfterSeconds: 30 });

/** openid-client checks that it's the issuer who says this, and that every address has TLS. */
async function discover(
  { url, clientId, allowsLoopbackHttp }: Omit<Issuer, 'configuration'>,
  authentication: Authentication,
): Promise<Configuration> {
  const fetching = boundedFetch(allowsLoopbackHttp);
  const insecure = allowsLoopbackHttp ? [allowInsecureRequests] : [];
  try {
    const found = await discovery(new URL(url), clientId, undefined, None(), {
      [customFetch]: fetching,
      timeout: timeoutSeconds,
      execute: insecure,
    });
    const { supportsPKCE: _, ...server } = found.serverMetadata();
    const { id_token_signing_alg_values_supported: offered = ['RS256'] } = server;
    const algorithms = offered.filter((one) => signatureAlgorithms.includes(one));
    const configuration = new Configuration(
      { ...server, id_token_signing_alg_values_supported: algorithms },
      clientId,
      undefined,
      authentication(server.token_endpoint_auth_methods_supported),
    );
    configuration[customFetch] = fetching;
    configuration.timeout = timeoutSeconds;
    // Otherwise the signature wouldn't be checked, as the token comes from the issuer itself, over TLS.
    enableNonRepudiationChecks(configuration);
    for (const allow of insecure) allow(configuration);
    return configuration;
  } catch (cause) {
    throw issuerUnavailable(cause);
  }
}

/** A sign-in asks it three or four times, and API Gateway waits for 30 s. */
const timeoutSeconds = 5;

/** Key sets and tokens have a few KB. */
const maxAnswerBytes = 256 * 1_024;

class IssuerUnreachable extends Error {
  override readonly name = 'IssuerUnreachable';
}

/** Over TLS, to the end of the time that openid-client gives it, and not without end. */
export const boundedFetch =
  (allowsLoopbackHttp: boolean): CustomFetch =>
  async (address, { body: sent, ...options }) => {
    const { protocol, hostname } = new URL(address);
    const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
    if (protocol !== 'https:' && !(allowsLoopbackHttp && isOwn)) {
      throw new IssuerUnreachable('Not over TLS');
    }
    try {
      const response = await fetch(address, {
        ...options,
        // Nothing but forms is sent.
        ...(sent instanceof URLSearchParams && { body: sent }),
        redirect: 'manual',
      });
      const { status, headers } = response;
      const body = await readBounded(response);
      return new Response([204, 304].includes(status) ? null : body, { status, headers });
    } catch (cause) {
      throw new IssuerUnreachable('No usable answer', { cause });
    }
  };

async function readBounded({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new Error('The answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export const callbackPath = '/console/oidc/callback';

/** Where the browser goes to sign in. */
export async function authorizationUrlOf(
  { publicBaseUrl, configuration }: Issuer,
  {
    state,
    nonce,
    verifier,
    isFresh,
  }: Pick<SignInState, 'state' | 'nonce' | 'verifier' | 'isFresh'>,
): Promise<string> {
  const url = buildAuthorizationUrl(await configuration(), {
    redirect_uri: `${publicBaseUrl}${callbackPath}`,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isFresh && { prompt: 'login', max_age: '0' }),
  });
  return url.href;
}

/** Where the browser goes to sign out there, too; `undefined` if the issuer has no such place. */
export async function endSessionUrlOf({
  publicBaseUrl,
  configuration,
}: Issuer): Promise<string | undefined> {
  const found = await configuration();
  if (found.serverMetadata().end_session_endpoint === undefined) return undefined;
  return buildEndSessionUrl(found, { post_logout_redirect_uri: `${publicBaseUrl}/console` }).href;
}

/**
 * Exchanges the code of the issuer's answer for what it says about the person. openid-client checks the answer's state
 * and issuer, and the token's signature, issuer, audience, nonce and times.
 *
 * @param query of the address that the browser came back to.
 */
export async function readClaims(
  { publicBaseUrl, configuration, rules }: SignInIssuer,
  query: URLSearchParams,
  { state, nonce, verifier, isFresh }: SignInState,
): Promise<Claims> {
  const found = await configuration();
  const url = new URL(`${publicBaseUrl}${callbackPath}?${query}`);
  try {
    const tokens = await authorizationCodeGrant(found, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      ...(isFresh && { maxAge: keyShownMs / 1_000 }),
    });
    const claims = claimsSchema.parse(tokens.claims());
    const hasMore = found.serverMetadata().userinfo_endpoint !== undefined;
    if (!hasMore || !lacksClaims(claims, rules)) return claims;
    const more = await fetchUserInfo(found, tokens.access_token, claims.sub);
    return claimsSchema.parse({ ...more, ...claims });
  } catch (cause) {
    throw signInFailed(cause);
  }
}

function signInFailed(cause: unknown): ServiceError {
  if (isUnreachable(cause)) {
    return issuerUnavailable(cause);
  }
  if (cause instanceof AuthorizationResponseError && cause.error === 'access_denied') {
    const words =
      'The identity provider didn’t sign you in, or you canceled. Start again at /console.';
    return new ServiceError('oidc_sign_in_failed', words, { cause });
  }
  return new ServiceError('oidc_sign_in_failed', undefined, { cause });
}

function isUnreachable(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof IssuerUnreachable) return true;
  }
  return false;
}
