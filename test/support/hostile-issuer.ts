import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { listen } from '../../infra/local/server.ts';
import type { Browser } from './issuer-browser.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** What the issuer puts into the next tokens, instead of what it should. */
export type Lie = {
  /** Replaces claims; `undefined` leaves one out. */
  readonly claims?: Claims;
  readonly algorithm?: 'none' | 'HS256';
  /** Signs with a key that it doesn't publish. */
  readonly isForged?: true;
  /** Answers the code with this status. */
  readonly status?: number;
};

/** An issuer that says whatever a test wants, signed with its own key. It checks no code and no secret. */
export async function startHostileIssuer(clientId: string) {
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'hostile', alg: 'RS256', use: 'sig' };
  const said: { lie: Lie; nonce: string; readonly requests: URLSearchParams[] } = {
    lie: {},
    nonce: '',
    requests: [],
  };

  async function sign(claims: Claims, { algorithm, isForged }: Lie, typ = 'JWT'): Promise<string> {
    if (algorithm === 'none') return new UnsecuredJWT({ ...claims }).encode();
    const token = new SignJWT({ ...claims });
    const header = { alg: algorithm ?? 'RS256', kid: 'hostile', typ };
    // Known to everybody: the public key, as some libraries took it for the secret of an HMAC.
    const secret = new TextEncoder().encode(JSON.stringify(jwk));
    const key = isForged ? foreign.privateKey : own.privateKey;
    return token.setProtectedHeader(header).sign(algorithm === 'HS256' ? secret : key);
  }

  const seconds = () => Math.floor(Date.now() / 1_000);

  const idToken = (lie: Lie) =>
    sign(
      {
        iss: url,
        aud: clientId,
        sub: 'mallory',
        email: 'mallory@example.com',
        email_verified: true,
        groups: ['email-viewer'],
        nonce: said.nonce,
        iat: seconds(),
        exp: seconds() + 300,
        ...lie.claims,
      },
      lie,
    );

  const answers: Readonly<Record<string, () => Promise<unknown> | unknown>> = {
    '/.well-known/openid-configuration': () => ({
      issuer: url,
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      // It would like to be asked for worse ones, too.
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
    }),
    '/jwks': () => ({ keys: [jwk] }),
    '/token': async () => ({
      access_token: 'access',
      token_type: 'Bearer',
      id_token: await idToken(said.lie),
    }),
  };

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const body = await text(request);
    if (pathname === '/token') said.requests.push(new URLSearchParams(body));
    const answer = answers[pathname];
    const status = pathname === '/token' ? said.lie.status : undefined;
    response.setHeader('content-type', 'application/json');
    if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(status ?? 200).end(JSON.stringify(await answer()));
  });
  const { url, stop } = await listen(server, 0);

  return {
    url,
    stop,
    said,
    /** Has a browser ask, and names the path by which it comes back with an answer. */
    answerTo: async ({ go }: Pick<Browser, 'go'>, lie: Lie): Promise<string> => {
      const { searchParams } = (await go('/console/oidc/sign-in', {}, url)).url;
      said.nonce = searchParams.get('nonce') ?? '';
      said.lie = lie;
      const state = searchParams.get('state') ?? '';
      return `/console/oidc/callback?${new URLSearchParams({ code: 'a code', state, iss: url })}`;
    },
    /** A token that asks to end sessions. */
    logoutToken: (claims: Claims, lie: Lie = {}) =>
      sign(
        {
          iss: url,
          aud: clientId,
          iat: seconds(),
          exp: seconds() + 120,
          jti: crypto.randomUUID(),
          sub: 'mallory',
          events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
          ...claims,
        },
        lie,
        'logout+jwt',
      ),
    idToken,
  };
}
