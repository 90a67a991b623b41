import * as z from 'zod/mini';
import { readSessionText } from '#shared/access/credential-text';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { renderSignInError } from '#shared/endpoints/sign-in-errors';
import { ServiceError } from '#shared/errors/service-error';
import { redirectResponse } from '#shared/http/http-response';
import { oidcCookie, sessionIn } from '#shared/http/session-cookie';
import { authorizationUrlOf, knowsIssuer } from '#shared/oidc/issuer';
import { consolePathOf, type SignInState, sealState, signInMs } from '#shared/oidc/sign-in-state';
import { randomBase32 } from '#shared/tokens/base32';
import { readsKeyring } from '#shared/tokens/keyring-reader';

export const endpoint = defineEndpoint(
  {
    route: 'GET /console/oidc/sign-in',
    access: 'anybody',
    query: z.object({ to: z.optional(z.string()), fresh: z.optional(z.string()) }),
    answers: {
      302: {
        description: 'A redirect to the identity provider.',
        headers: ['Location', 'Set-Cookie'],
      },
    },
    errors: ['oidc_not_configured', 'oidc_unavailable'],
    isForPeople: true,
    renderError: renderSignInError,
    uses: { issuer: knowsIssuer, keyring: readsKeyring },
    lambda: { stack: 'Console', tableActions: [] },
    words: {
      section: 'Console',
      summary: 'Sign in with the identity provider',
      description: `For browsers: the console’s button leads here. Sends the browser to the deployment’s identity provider (OpenID Connect, authorization code with PKCE). The cookie that it gets binds the answer to this browser, for ${signInMs / 60_000} minutes.`,
      fields: {
        to: 'The page of the console to open then. Anything else opens its first page.',
        fresh: '`1` asks the person to prove again who they are, for what needs a recent sign-in.',
      },
      example: { query: { to: '/console/emails' } },
    },
  },
  async ({ query: { to, fresh }, headers }, { issuer, keyring, now }) => {
    if (issuer === undefined) throw new ServiceError('oidc_not_configured');
    const held = readSessionText(sessionIn(headers['cookie']));
    const at = now();
    const state: SignInState = {
      state: randomBase32(32),
      nonce: randomBase32(32),
      // At least 43 characters (RFC 7636 §4.1).
      verifier: randomBase32(52),
      to: consolePathOf(to),
      expiresAt: at + signInMs,
      ...(fresh === '1' && { isFresh: true }),
      ...(held && { replaced: held }),
    };
    const location = await authorizationUrlOf(issuer, state);
    const response = redirectResponse(location);
    const cookie = oidcCookie(sealState(await keyring(), state), state.expiresAt, at);
    return { ...response, headers: { ...response.headers, 'Set-Cookie': cookie } };
  },
);
