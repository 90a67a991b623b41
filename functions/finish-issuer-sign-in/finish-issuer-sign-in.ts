import * as z from 'zod/mini';
import { type ApiKey, lastUsedFirst, maySignIn } from '#shared/access/api-key';
import {
  changeSignIns,
  endReplaced,
  type NewSession,
  sessionStarted,
} from '#shared/access/change-sign-ins';
import { deviceOf } from '#shared/access/device';
import { changesPeople } from '#shared/access/person';
import { newIssuerSession } from '#shared/access/sign-in';
import { auditRetentionDays } from '#shared/audit/audit-entry';
import { bareAddress } from '#shared/contacts/address-field';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { renderSignInError } from '#shared/endpoints/sign-in-errors';
import { ServiceError } from '#shared/errors/service-error';
import { redirectResponse } from '#shared/http/http-response';
import { oidcStateIn, sessionCookie } from '#shared/http/session-cookie';
import type { RequestLog } from '#shared/observability/request-log';
import { callbackPath, readClaims, type SignInIssuer, signsInAtIssuer } from '#shared/oidc/issuer';
import { issuerDigest } from '#shared/oidc/issuer-digest';
import { settlePeople } from '#shared/oidc/issuer-people';
import { readIssuerKeys, storeIssuerKeys } from '#shared/oidc/issuer-store';
import { type Claims, isEmailDenied, isEmailVerified, rolesIn } from '#shared/oidc/role-rules';
import { openState, type SignInState } from '#shared/oidc/sign-in-state';
import { issuerPartitions, organizationPartitions } from '#shared/table/keys';
import type { TableAndClock } from '#shared/table/table-client';
import { readsKeyring } from '#shared/tokens/keyring-reader';
import type { Keyring } from '#shared/tokens/signed-token';

/** OAuth allows more in the answer, which counts for openid-client. */
const answerSchema = z.record(z.string(), z.string());

export const endpoint = defineEndpoint(
  {
    route: `GET ${callbackPath}`,
    access: 'anybody',
    query: answerSchema,
    answers: {
      302: {
        description: 'You are signed in. A redirect to the console.',
        headers: ['Location', 'Set-Cookie'],
      },
    },
    errors: [
      'oidc_not_configured',
      'oidc_sign_in_failed',
      'oidc_email_not_verified',
      'oidc_no_access',
      'oidc_unavailable',
      'concurrent_change',
    ],
    isForPeople: true,
    renderError: renderSignInError,
    uses: { issuer: signsInAtIssuer, keyring: readsKeyring },
    lambda: {
      stack: 'Console',
      ...changesPeople,
      tableActions: [...changesPeople.tableActions, 'PutItem'],
      writesOnlyIn: {
        PutItem: [organizationPartitions, issuerPartitions],
        UpdateItem: [organizationPartitions],
      },
      queriesIndexes: ['gsi1', 'gsi2'],
      signsIn: true,
    },
    words: {
      section: 'Console',
      summary: 'Come back from the identity provider',
      description:
        'For browsers: the identity provider sends them here. Its answer counts only in the browser that asked. The claims decide the person’s organizations and roles, at each sign-in again: who is new there is made, and who the identity provider has made and no longer names is removed. The answer sets the cookie of the session.',
      fields: {},
      example: { query: { code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'af0ifjsldkj' } },
    },
  },
  async ({ query, headers, log }, signingIn) => {
    const { text, expiresAt, to } = await signInFromIssuer(
      {
        query,
        sealed: oidcStateIn(headers['cookie']),
        device: deviceOf(headers['user-agent']),
      },
      signingIn,
      log,
    );
    // The console looks for a session there, also where it knew of none.
    const response = redirectResponse(`/console/sign-in?to=${encodeURIComponent(to)}`);
    const cookie = sessionCookie(text, expiresAt, signingIn.now());
    return { ...response, headers: { ...response.headers, 'Set-Cookie': cookie } };
  },
);

type SigningIn = TableAndClock & {
  readonly issuer: SignInIssuer | undefined;
  readonly keyring: () => Promise<Keyring>;
};

type Returned = {
  readonly query: Readonly<Record<string, string>>;
  /** The cookie of the browser. */
  readonly sealed: string | undefined;
  /** What `deviceOf` calls it. */
  readonly device: string | undefined;
};

/**
 * People first, then where a logout finds their sessions, then the session. If the process dies in between, nobody has
 * a session that a logout doesn't find, and the next sign-in goes on.
 */
export async function signInFromIssuer(
  { query, sealed, device }: Returned,
  signingIn: SigningIn,
  log: Pick<RequestLog, 'warn'>,
) {
  const { issuer, table, now } = signingIn;
  if (issuer === undefined) throw new ServiceError('oidc_not_configured');
  const state = openState(await signingIn.keyring(), sealed, now());
  if (state === undefined) throw new ServiceError('oidc_sign_in_failed');
  const claims = await readClaims(issuer, new URLSearchParams(query), state).catch((error) => {
    log.warn('answer of the issuer refused', { reason: reasonOf(error) });
    throw error;
  });
  const subject = issuerDigest('sub', issuer.url, claims.sub);
  const before = await readIssuerKeys(table, subject, now());
  const account = { ...accountOf(claims, issuer), subject, before };
  const people = await settlePeople(account, signingIn);
  const keyIds = [...new Set([...people.map(({ id }) => id), ...before])];
  const sid = claims.sid === undefined ? undefined : issuerDigest('sid', issuer.url, claims.sid);
  const person =
    people.find(({ id }) => id === state.replaced?.id) ?? people.toSorted(lastUsedFirst)[0];
  if (person === undefined) throw new ServiceError('oidc_no_access');
  await Promise.all([
    storeIssuerKeys(table, subject, keyIds, { now: now(), keptDays: auditRetentionDays }),
    sid && storeIssuerKeys(table, sid, keyIds, { now: now(), keptDays: 1 }),
  ]);
  const begun = {
    device,
    shownAt: claims.auth_time === undefined ? undefined : claims.auth_time * 1_000,
    oidc: {
      subject,
      ...(sid && { sid }),
      ...(account.isVerified && { isVerified: true as const }),
    },
    replaced: state.replaced,
  };
  const session = await startSession(person, begun, signingIn);
  await endReplaced(state.replaced, session, signingIn);
  return { ...session, to: state.to };
}

/** openid-client's code for what is wrong, without the values. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
};

/** An address that the issuer says isn't verified may be anybody's. */
function accountOf(claims: Claims, { rules }: SignInIssuer) {
  const email = bareAddress.safeParse(claims.email);
  if (!email.success || isEmailDenied(claims)) throw new ServiceError('oidc_email_not_verified');
  return {
    identity: email.data.identity,
    isVerified: isEmailVerified(claims),
    roles: rolesIn(claims, rules),
  };
}

type Begun = Parameters<typeof newIssuerSession>[1] & Pick<SignInState, 'replaced'>;

const startSession = (
  { id }: ApiKey,
  { replaced, ...begun }: Begun,
  signingIn: TableAndClock,
): Promise<NewSession> =>
  changeSignIns(
    id,
    (apiKey, now) => {
      if (apiKey?.person === undefined || !maySignIn(apiKey, now)) {
        throw new ServiceError('oidc_no_access');
      }
      const session = newIssuerSession(apiKey, begun, now);
      return sessionStarted(apiKey, session, replaced, now);
    },
    signingIn,
  );
