import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { putApiKey } from '#shared/access/api-key-store';
import { type Scope, scopes, wideScopes } from '#shared/access/scopes';
import { scopesOf } from '#shared/endpoints/endpoint';
import { openTable } from '#shared/table/table-client';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import { type RoutedEndpoint, routedEndpoints } from '../../infra/openapi/endpoints.ts';
import { buildApiKey } from '../support/api-key-builder.ts';
import { useTwin } from '../support/twin.ts';

// Every endpoint, without a key and with keys of each scope: each is refused exactly as its reference says.

const stack = await useTwin();

const organizationId = organizationIdSchema.parse(stack.organizationId);
const table = openTable(stack.tableName);
const keys = new Map<string, Promise<string>>();

/** A key with only these scopes. */
function keyWith(granted: readonly Scope[]): Promise<string> {
  const key = keys.get(granted.join()) ?? makeKey(granted);
  keys.set(granted.join(), key);
  return key;
}

async function makeKey(granted: readonly Scope[]): Promise<string> {
  const { apiKey, text } = buildApiKey({ organizationId, scopes: [...granted] });
  await putApiKey(table, apiKey);
  return text;
}

/** `granted`: the scopes of its key, if it uses one. */
type Caller = { readonly name: string; readonly granted?: readonly Scope[] };

/** A key with all scopes except the accepted ones covers each of these. */
function callersOf({ access }: RoutedEndpoint): readonly Caller[] {
  const required = typeof access === 'object' ? scopesOf(access) : [];
  return [
    { name: 'no key' },
    { name: 'no scope', granted: [] },
    { name: 'every wide scope', granted: wideScopes },
    { name: 'every other scope', granted: scopes.filter((scope) => !required.includes(scope)) },
    ...required.map((scope) => ({ name: scope, granted: [scope] })),
  ];
}

// Sign-in takes a key in the body: its own tests cover who is refused.
const endpoints = routedEndpoints.filter(({ at }) => at.functionName !== 'create-session');
const named = endpoints.map((endpoint) => ({
  name: endpoint.at.key,
  endpoint,
}));

/** Makes the request from the endpoint's own example. */
function send({ at, accepts, words }: RoutedEndpoint, headers: Readonly<Record<string, string>>) {
  const { example = {} } = words;
  const [mediaType] = accepts ?? ['application/json'];
  const path = at.path.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) =>
    encodeURIComponent(example.path?.[name] ?? ''),
  );
  return fetch(`${stack.baseUrl}${path}?${new URLSearchParams(example.query)}`, {
    method: at.method,
    redirect: 'manual',
    headers: {
      ...headers,
      ...(example.body !== undefined && { 'content-type': mediaType }),
    },
    ...(example.body !== undefined && { body: bodyText(example.body) }),
  });
}

async function ask(endpoint: RoutedEndpoint, key: string | undefined) {
  const { at, errorForm } = endpoint;
  const response = await send(
    endpoint,
    key === undefined ? {} : { authorization: `Bearer ${key}` },
  );
  const text = await response.text();
  if (errorForm === 'resend' && response.status >= 400) return ourCodeOf(JSON.parse(text).name);
  if (errorForm === 'postmark' && response.status === 401) {
    // Both have the same number: the message tells them apart.
    return /scope/.test(JSON.parse(text).Message) ? 'missing_scope' : 'invalid_api_key';
  }
  const { method } = at;
  const isProblem = response.headers.get('content-type') === 'application/problem+json';
  return isProblem && method !== 'HEAD' ? String(JSON.parse(text).code) : `${response.status}`;
}

/** Refusals of a caller, by Resend's names. */
const resendNames: Readonly<Record<string, string>> = {
  missing_api_key: 'invalid_api_key',
  restricted_api_key: 'missing_scope',
};
const ourCodeOf = (name: string): string => resendNames[name] ?? name;

const bodyText = (body: unknown): string =>
  typeof body === 'string' ? body : JSON.stringify(body);

const refusals = [
  'invalid_api_key',
  'missing_scope',
  'invalid_cron_secret',
  'invalid_operator_secret',
];
const refusalOr = (outcome: string, otherwise: string): string =>
  refusals.includes(outcome) ? outcome : otherwise;

const withoutScopes: readonly Scope[] = ['send_email', 'templates_manage'];

function expectedOf({ access }: RoutedEndpoint, { granted }: Caller): string {
  if (access === 'anybody') return 'admitted';
  if (access === 'session') return 'invalid_api_key';
  if (access === 'cron_secret') return 'invalid_cron_secret';
  if (access === 'operator') return 'invalid_operator_secret';
  if (granted === undefined) return access.key === 'optional' ? 'admitted' : 'invalid_api_key';
  if (granted.length === 0 && access.orWithoutScopes) return 'admitted';
  const required = scopesOf(access);
  const may = granted.length === 0 ? withoutScopes : granted;
  const isAdmitted = required.length === 0 || required.some((scope) => may.includes(scope));
  return isAdmitted ? 'admitted' : 'missing_scope';
}

describe.each(named)('$name', ({ endpoint }) => {
  it('accepts only a key with its scope, and no caller without a key', async () => {
    const callers = callersOf(endpoint);

    const outcomes = await Promise.all(
      callers.map(async ({ granted }) => ask(endpoint, granted && (await keyWith(granted)))),
    );

    const named = outcomes.map((outcome, at) => [
      callers[at]?.name,
      refusalOr(outcome, 'admitted'),
    ]);
    const expected = callers.map((caller) => [caller.name, expectedOf(endpoint, caller)]);
    expect(named).toEqual(expected);
  });
});

/** The cookie of somebody who followed a link, and so never showed the key. */
async function signedInByLink(): Promise<Readonly<Record<string, string>>> {
  const { baseUrl } = stack;
  const key = await keyWith(scopes);
  const made = await fetch(`${baseUrl}/console/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  });
  const { path } = z.object({ path: z.string() }).parse(await made.json());
  const { headers } = await fetch(`${baseUrl}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link: path.split('#')[1] }),
  });
  return { cookie: headers.get('set-cookie')?.split(';')[0] ?? '', origin: baseUrl };
}

describe('operations that outlast a session', async () => {
  const cookie = await signedInByLink();
  const asking = named.filter(
    ({ endpoint: { access } }) => typeof access === 'object' && access.freshSession === true,
  );

  it.each(asking)(
    'require the key from a session that never showed it: $name',
    async ({ endpoint }) => {
      const response = await send(endpoint, cookie);

      expect(response.status).toBe(403);
      expect(await response.text()).toContain('Enter your API key again');
    },
  );
});
