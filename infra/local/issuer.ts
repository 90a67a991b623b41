import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { type Role, roles } from '#shared/access/roles';
import { html } from '#shared/pages/html';
import { layOutPage } from '#shared/pages/page-layout';
import { addressOfRole } from './people.ts';
import { type LocalServer, listen, readBody } from './server.ts';

/** Somebody who has an account at the issuer, by whatever it says of them. */
export type IssuerAccount = {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
};

export type LocalIssuer = LocalServer & {
  readonly clientId: string;
  readonly clientSecret: string;
  /** By their `sub`. Changes count at the next sign-in. */
  readonly accounts: Map<string, IssuerAccount>;
};

type IssuerOptions = {
  readonly port: number;
  /** Of the service. */
  readonly publicBaseUrl: string;
  readonly clientSecret: string;
  /** Puts what the scopes say into the ID token, as Keycloak does, not only behind its own address. */
  readonly fillsIdToken?: boolean;
};

const clientId = 'console';

/** An issuer of sign-ins (OpenID Connect) with a person of each role: one click signs in as them. */
export async function startIssuer(options: IssuerOptions): Promise<LocalIssuer> {
  const accounts = new Map<string, IssuerAccount>(
    roles.map((role) => {
      const email = addressOfRole(role);
      return [email, { email, email_verified: true, groups: [groupOf(role)] }];
    }),
  );
  const serving = Promise.withResolvers<Provider>();
  const server = createServer((request, response) => {
    serving.promise
      .then((provider) => answer(provider, accounts, request, response))
      .catch((error: unknown) => {
        console.error('the issuer failed', error);
        response.writeHead(500).end();
      });
  });
  const { url, stop } = await listen(server, options.port);
  const provider = new Provider(url, await configurationOf(options, accounts));
  serving.resolve(provider);
  return { url, stop, clientId, clientSecret: options.clientSecret, accounts };
}

const groupOf = (role: Role): string => `email-${role}`;

/** Whose group is a role's has that role. */
export const roleRulesFor = (organizationId: string) =>
  roles.map((role) => ({ claim: 'groups', value: groupOf(role), organizationId, role }));

const scope = 'openid email profile';

async function configurationOf(
  { publicBaseUrl, clientSecret, fillsIdToken = false }: IssuerOptions,
  accounts: ReadonlyMap<string, IssuerAccount>,
): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'local', alg: 'RS256', use: 'sig' };
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${publicBaseUrl}/console/oidc/callback`],
        post_logout_redirect_uris: [`${publicBaseUrl}/console`],
        backchannel_logout_uri: `${publicBaseUrl}/console/oidc/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: [clientSecret] },
    conformIdTokenClaims: !fillsIdToken,
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    // It reaches no address of this machine otherwise.
    fetch: (address, { method, headers, body, signal } = {}) =>
      fetch(address, {
        ...(method !== undefined && { method }),
        ...(headers !== undefined && { headers }),
        ...(body !== undefined && { body }),
        ...(signal !== undefined && { signal }),
      }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: {
      ...{ AccessToken: 600, AuthorizationCode: 60, Grant: 43_200, IdToken: 600 },
      ...{ Interaction: 600, Session: 43_200 },
    },
    findAccount: (_, sub) => {
      const account = accounts.get(sub);
      return account && { accountId: sub, claims: async () => ({ sub, ...account }) };
    },
    // Nobody is asked whether the console may know their address.
    loadExistingGrant: async ({ oidc }) => {
      const { client, session } = oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const { Grant } = oidc.provider;
      const grant = new Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(scope);
      await grant.save();
      return grant;
    },
  };
}

async function answer(
  provider: Provider,
  accounts: ReadonlyMap<string, IssuerAccount>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = '/', method } = request;
  if (!url.startsWith('/interaction/')) {
    await provider.callback()(request, response);
    return;
  }
  if (method === 'POST') {
    const form = new URLSearchParams(`${await readBody(request)}`);
    const accountId = form.get('account') ?? '';
    await provider.interactionFinished(request, response, { login: { accountId } });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/html;charset=UTF-8' }).end(pageOf(url, accounts));
}

const pageOf = (address: string, accounts: ReadonlyMap<string, IssuerAccount>): string =>
  layOutPage({
    title: 'Sign in as',
    content: html`<h1>Sign in as</h1>
${[...accounts.keys()].map(
  (sub) =>
    html`<form method="post" action="${address}"><p><button name="account" value="${sub}">${sub}</button></p></form>`,
)}`,
  });
