import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { fetchSecret } from '#shared/config/secrets-manager';
import { secretIds, setEnvironment } from '../../infra/local/environment.ts';
import { roleRulesFor } from '../../infra/local/issuer.ts';
import { listen } from '../../infra/local/server.ts';
import { startLocalStack } from '../../infra/local/stack.ts';
import { openBrowser } from '../support/issuer-browser.ts';

// Keycloak, as released, is the issuer of a twin: people sign in, prove again who they are, get another role, and are
// signed out by its administrator.

const [folder = ''] = process.argv.slice(2);
const realm = 'work';
const person = { username: 'ann', email: 'ann@example.com', password: 'a-password' };
const administrator = { username: 'root', password: 'root-password' };

async function freePort(): Promise<number> {
  const { url, stop } = await listen(createServer(), 0);
  await stop();
  return Number(new URL(url).port);
}

const stack = await startLocalStack({ quiet: true });
const { baseUrl, organizationId } = stack.description;
const keycloak = `http://127.0.0.1:${await freePort()}`;
setEnvironment({
  OIDC_ISSUER: `${keycloak}/realms/${realm}`,
  OIDC_CLIENT_ID: 'console',
  OIDC_NAME: 'Keycloak',
  OIDC_ROLES: JSON.stringify(roleRulesFor(organizationId)),
});

const groups = ['email-admin', 'email-viewer'];

const realmFile = async () => ({
  realm,
  enabled: true,
  sslRequired: 'none',
  groups: groups.map((name) => ({ name })),
  users: [
    {
      ...{ username: person.username, email: person.email, firstName: 'Ann', lastName: 'Archer' },
      ...{ enabled: true, emailVerified: true, groups: ['/email-admin'] },
      credentials: [{ type: 'password', value: person.password }],
    },
  ],
  clients: [
    {
      clientId: 'console',
      secret: await fetchSecret(secretIds.oidcSecret),
      redirectUris: [`${baseUrl}/console/oidc/callback`],
      attributes: {
        'pkce.code.challenge.method': 'S256',
        'post.logout.redirect.uris': `${baseUrl}/console`,
        'backchannel.logout.url': `${baseUrl}/console/oidc/logout`,
        'backchannel.logout.session.required': 'true',
      },
      protocolMappers: [
        {
          name: 'groups',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-group-membership-mapper',
          config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true' },
        },
      ],
    },
  ],
});

/** @param keep gets what stops it at once, as it takes minutes to start on a busy machine */
async function startKeycloak(keep: (stop: () => void) => void): Promise<void> {
  const home = join(folder, 'keycloak-26.7.3');
  mkdirSync(join(home, 'data/import'), { recursive: true });
  writeFileSync(join(home, 'data/import/work.json'), JSON.stringify(await realmFile()));
  const { port } = new URL(keycloak);
  const given = ['start-dev', '--import-realm', '--http-host=127.0.0.1', `--http-port=${port}`];
  const child = spawn(join(home, 'bin/kc.sh'), [...given, '--db=dev-mem'], {
    env: {
      ...process.env,
      KC_BOOTSTRAP_ADMIN_USERNAME: administrator.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A group of its own, as the script starts Java.
    detached: true,
  });
  keep(() => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid);
  });
  const end = Date.now() + 600_000;
  while (!(await fetch(`${keycloak}/realms/${realm}`).catch(() => undefined))?.ok) {
    if (Date.now() > end || child.exitCode !== null) throw new Error('Keycloak doesn’t start');
    await sleep(1_000);
  }
}

const tokenSchema = z.object({ access_token: z.string() });

/** As an administrator does in its own console. */
async function administer(method: string, path: string): Promise<unknown> {
  const body = new URLSearchParams({
    ...{ grant_type: 'password', client_id: 'admin-cli' },
    ...administrator,
  });
  const token = `${keycloak}/realms/master/protocol/openid-connect/token`;
  const made = await fetch(token, { method: 'POST', body });
  const { access_token: bearer } = tokenSchema.parse(await made.json());
  const response = await fetch(`${keycloak}/admin/realms/${realm}${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}` },
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

const browser = openBrowser(baseUrl);
const toConsole = `${baseUrl}/console/sign-in`;

/** Fills in Keycloak's form, if it shows one. */
async function signIn(query = ''): Promise<'with the password' | 'at once'> {
  const page = await browser.go(`/console/oidc/sign-in${query}`, {}, toConsole);
  if (page.url.href.startsWith(toConsole)) return 'at once';
  const action = /action="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const { username, password } = person;
  const body = new URLSearchParams({ username, password });
  const { url, text } = await browser.go(action, { method: 'POST', body }, toConsole);
  if (!url.href.startsWith(toConsole)) throw new Error(`Not signed in: ${url.pathname}\n${text}`);
  return 'with the password';
}

const sessionSchema = z.object({
  code: z.string().optional(),
  isFromIssuer: z.boolean().optional(),
  person: z.object({ email: z.string(), role: z.string() }).optional(),
});

async function session() {
  const { json } = await browser.call('GET', '/console/session');
  const { code, isFromIssuer, person: who } = sessionSchema.parse(json);
  return code ?? `${who?.email} ${who?.role} ${isFromIssuer}`;
}

function expectSame(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
}

const idsSchema = z.array(z.object({ id: z.string(), name: z.string().optional() }));

async function judge(): Promise<void> {
  expectSame('first sign-in', await signIn(), 'with the password');
  expectSame('session', await session(), 'ann@example.com admin true');
  expectSame('second sign-in', await signIn(), 'at once');

  expectSame('fresh sign-in', await signIn('?fresh=1'), 'with the password');
  const key = { name: 'ci', scopes: ['send_email'] };
  const { status } = await browser.call('POST', '/api/v1/api-keys', key);
  expectSame('key after a fresh sign-in', status, 201);

  const [user] = idsSchema.parse(await administer('GET', `/users?username=${person.username}`));
  const known = idsSchema.parse(await administer('GET', '/groups'));
  const groupOf = (name: string) => known.find((one) => one.name === name)?.id;
  await administer('DELETE', `/users/${user?.id}/groups/${groupOf('email-admin')}`);
  await administer('PUT', `/users/${user?.id}/groups/${groupOf('email-viewer')}`);
  await signIn();
  expectSame('session in another role', await session(), 'ann@example.com viewer true');

  await administer('POST', `/users/${user?.id}/logout`);
  expectSame('session after back-channel logout', await session(), 'invalid_api_key');

  await signIn();
  const signOut = await browser.go('/console/oidc/sign-out');
  expectSame('sign-out', [signOut.status, signOut.url.origin], [200, keycloak]);
}

let stopKeycloak = () => {};
try {
  await startKeycloak((stop) => {
    stopKeycloak = stop;
  });
  await judge();
} finally {
  stopKeycloak();
  await stack.stop();
}
