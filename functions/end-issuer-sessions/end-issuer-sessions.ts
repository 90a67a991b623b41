import * as z from 'zod/mini';
import { changeSignIns } from '#shared/access/change-sign-ins';
import type { SignIn } from '#shared/access/sign-in';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import type { HttpResponse } from '#shared/http/http-response';
import { issuerDigest } from '#shared/oidc/issuer-digest';
import { readIssuerKeys } from '#shared/oidc/issuer-store';
import { type Logout, readsLogoutTokens, toleranceSeconds } from '#shared/oidc/logout-token';
import type { TableAndClock } from '#shared/table/table-client';
import type { ApiKeyId } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'POST /console/oidc/logout',
    access: 'anybody',
    body: z.object({ logout_token: z.string() }),
    accepts: ['application/x-www-form-urlencoded'],
    answers: { 200: { description: 'The sessions have ended.' } },
    errors: [
      'oidc_not_configured',
      'oidc_logout_token_invalid',
      'oidc_unavailable',
      'malformed_body',
      'too_large',
      'concurrent_change',
    ],
    isForPeople: true,
    uses: { logouts: readsLogoutTokens },
    lambda: { stack: 'Console', tableActions: ['GetItem'], signsIn: true, writesAudit: true },
    words: {
      section: 'Console',
      summary: 'End sessions for the identity provider',
      description:
        'For the identity provider (OpenID Connect Back-Channel Logout 1.0): ends the sessions of one of its own sessions (`sid`), or all that an account (`sub`) has begun there. Safe to repeat.',
      fields: { logout_token: 'A JWT that the identity provider has signed.' },
      example: { body: { logout_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImxvZ291dCtqd3QifQ.…' } },
    },
  },
  async ({ readFields }, { logouts, ...service }): Promise<HttpResponse> => {
    if (logouts === undefined) throw new ServiceError('oidc_not_configured');
    const token = (await readFields()).get('logout_token') ?? '';
    await endIssuerSessions(await logouts.read(token), logouts.issuer, service);
    return { statusCode: 200, headers: {}, body: '' };
  },
);

/** Of all the account's people, or of those that this session signed in to: who has none costs a read. */
export async function endIssuerSessions(
  logout: Logout,
  issuer: string,
  ending: TableAndClock,
): Promise<void> {
  const { sub = '', sid } = logout;
  const of =
    sid === undefined ? issuerDigest('sub', issuer, sub) : issuerDigest('sid', issuer, sid);
  const isEnded = sid === undefined ? isOfAccount(of, logout) : isOfSession(of);
  const keyIds = await readIssuerKeys(ending.table, of, ending.now());
  await Promise.all(keyIds.map((id) => endSessionsOf(id, isEnded, ending)));
}

const isOfSession =
  (sid: string) =>
  ({ oidc }: SignIn): boolean =>
    oidc?.sid === sid;

/** A token that comes twice doesn't end what began after it. */
const isOfAccount =
  (subject: string, { at }: Logout) =>
  ({ oidc, startedAt = 0 }: SignIn): boolean =>
    oidc?.subject === subject && startedAt <= at + toleranceSeconds * 1_000;

const endSessionsOf = (
  id: ApiKeyId,
  isEnded: (one: SignIn) => boolean,
  ending: TableAndClock,
): Promise<void> =>
  changeSignIns(
    id,
    (apiKey) => {
      const { signIns = [] } = apiKey ?? {};
      const after = signIns.filter((one) => !isEnded(one));
      return {
        change:
          after.length === signIns.length
            ? undefined
            : { after, actor: 'issuer', action: 'session.ended' },
        result: undefined,
      };
    },
    ending,
  );
