import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { putNewApiKey } from '#shared/organizations/api-key-store';
import { scopes } from '#shared/organizations/scopes';
import type { StoredItem } from '#shared/table/table-client';
import { buildApiKey } from '../support/api-key-builder.ts';
import { byRoute, type RouteName } from '../support/every-route.ts';
import { operatorSecret } from '../support/faulty-aws.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { type Call, callService, createTenant, type Tenant } from '../support/tenant.ts';
import { type Ask, asks, lists, sealedFor, withCursor } from '../support/tenant-requests.ts';

// Whoever adds a route says here who is admitted, and what a stranger asks it with.

const root = resolve(import.meta.dirname, '../..');
const service = await useFaultyService({ doubtWindowSeconds: 60, providerCallTimeoutMs: 30_000 });
const tenant = await createTenant(service, 'alpha');
const stranger = await createTenant(service, 'omega');

type Route = { readonly method: string; readonly path: string };
type Request = Pick<Ask, 'id' | 'query' | 'body'>;

/** Sends a request of the tables. */
function send({ method, path }: Route, { id = 'missing', query, body }: Request, call: Call) {
  const target = path.replace(/\{\w+\}/, encodeURIComponent(id));
  const parameters = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  return callService(service, method, `${target}${parameters}`, { body, ...call });
}
type Answer = Awaited<ReturnType<typeof send>>;

/** The code of a problem and the fields at fault, its status where it has no body; `its own` for a success. */
function outcomeOf({ status, code, faulty }: Answer): string {
  if (status < 400) return 'its own';
  if (code === undefined) return `status ${status}`;
  return faulty.length === 0 ? code : `${code} at ${faulty}`;
}

/** Reads come first. What others need is deleted last. */
function inOrder<Entry extends Route>(routes: readonly Entry[]): readonly Entry[] {
  const rank = ({ method, path }: Route) => {
    if (method === 'GET' || method === 'HEAD') return 0;
    if (method !== 'DELETE') return 1;
    return path.startsWith('/api/v1/organizations') ? 3 : 2;
  };
  return routes.toSorted((one, other) => rank(one) - rank(other));
}

const requests = inOrder(byRoute(asks)).flatMap((route) =>
  route.entry(tenant, stranger).map((ask) => ({ ...route, ask })),
);

/** Every item but those of the tenant, by its key. */
async function itemsBut({ part }: Tenant): Promise<ReadonlyMap<string, StoredItem>> {
  const items = new Map<string, StoredItem>();
  const { client, name } = service.table;
  for await (const page of paginateScan({ client }, { TableName: name, ConsistentRead: true })) {
    for (const item of page.Items ?? []) items.set(`${item['pk']} ${item['sk']}`, item);
  }
  return new Map([...items].filter(([, item]) => !JSON.stringify(item).includes(part)));
}

/** The texts of a request, which an answer may repeat. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, encodeURIComponent(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether the answer tells more of the tenant than was asked: its word or its part stands in all that it has. */
function tellsOf({ word, part }: Tenant, { whole }: Answer, request: Request): boolean {
  const news = textsIn(request).reduce((text, asked) => text.replaceAll(asked, ''), whole);
  return news.includes(word) || news.includes(part);
}

describe('what belongs to another organization', () => {
  it('is neither shown nor changed by any route, whatever id of it a manager’s key names', async () => {
    const before = await itemsBut(stranger);
    const outcomes: [string, string][] = [];
    const tellers: string[] = [];
    // One after the other: some change what others need.
    for (const { ask, ...route } of requests) {
      const headers = { 'x-operator-secret': stranger.key, 'x-cron-secret': stranger.key };
      const answer = await send(route, ask, { key: stranger.key, headers });
      outcomes.push([route.name, outcomeOf(answer)]);
      if (tellsOf(tenant, answer, ask)) tellers.push(route.name);
    }

    expect(outcomes).toEqual(requests.map(({ name, ask }) => [name, ask.stranger]));
    expect(tellers).toEqual([]);
    expect(await itemsBut(stranger)).toEqual(before);
  });
});

const pageShape = z.object({ nextCursor: z.string() });

const refused = 'validation_failed at cursor';

/** How a list answers to a cursor. */
async function goOn(asker: Tenant, route: Route, ask: Request, cursor: string) {
  return outcomeOf(await send(route, withCursor(ask, cursor), { key: asker.key }));
}

describe('a cursor', async () => {
  const listed = byRoute(asks).flatMap(({ name, ...route }) => {
    const list = new Map(Object.entries(lists)).get(name);
    return list === undefined ? [] : [{ ...route, name, ...list }];
  });
  const cursors = new Map<string, string>();
  for (const { name, ask, sealed, ...route } of listed) {
    const page = sealed === undefined && (await send(route, ask(tenant), { key: tenant.key })).json;
    const cursor = sealed ? sealedFor(tenant, sealed) : pageShape.parse(page).nextCursor;
    cursors.set(name, cursor ?? '');
  }

  it('is taken by these lists, and by none besides', async () => {
    const isOperators = 'GET /api/v1/organizations';
    const taking: string[] = [];
    for (const { name, functionName } of byRoute(asks)) {
      if (name !== isOperators && (await takesCursor(functionName))) taking.push(name);
    }

    expect(listed.map(({ name }) => name)).toEqual(taking);
  });

  it.each(listed)('of $name leads on in its own list', async ({ name, ask, ...route }) => {
    expect(await goOn(tenant, route, ask(tenant), cursors.get(name) ?? '')).toBe('its own');
  });

  it.each(listed)(
    'of another organization is refused by $name',
    async ({ name, ask, ...route }) => {
      expect(await goOn(stranger, route, ask(stranger), cursors.get(name) ?? '')).toBe(refused);
    },
  );

  it.each(listed)('of any other list is refused by $name', async ({ name, ask, ...route }) => {
    const others = [...cursors].filter(([list]) => list !== name);

    const answers = await Promise.all(
      others.map(([, cursor]) => goOn(tenant, route, ask(tenant), cursor)),
    );

    expect(answers).toEqual(others.map(() => refused));
  });

  it('of an organization is none of the operator’s', async () => {
    const headers = { 'x-operator-secret': operatorSecret };
    const route = { method: 'GET', path: '/api/v1/organizations' };
    const query = { cursor: cursors.get('GET /api/v1/audit') ?? '' };

    const answer = await send(route, { query }, { headers });

    expect(outcomeOf(answer)).toBe(refused);
  });
});

const schemasShape = z.object({ querySchema: z.unknown(), requestSchema: z.unknown() }).partial();

/** Whether the query or the body of a function has a cursor. */
async function takesCursor(functionName: string): Promise<boolean> {
  const path = resolve(root, `functions/${functionName}/schema.ts`);
  const { querySchema, requestSchema } = schemasShape.parse({ ...(await import(path)) });
  return [querySchema, requestSchema].some(
    (schema) => schema instanceof mini.ZodMiniObject && 'cursor' in schema.shape,
  );
}

/** Which key a route asks for, in the words of the table of all endpoints. */
const needs: Readonly<Record<RouteName, string>> = {
  'POST /api/v1/emails/send': 'send_email',
  'POST /api/v1/emails/send-global': 'send_email',
  'POST /api/v1/attachments': 'send_email',
  'GET /api/v1/sends': 'read_sends or manage_organization',
  'GET /api/v1/sends/{id}': 'read_sends, or none',
  'GET /api/v1/preferences': 'preferences_read, or none',
  'POST /api/v1/preferences': 'preferences_manage, or none',
  'GET /api/v1/suppressions': 'manage_organization',
  'POST /api/v1/suppressions': 'manage_organization',
  'DELETE /api/v1/suppressions/{email}': 'manage_organization',
  'POST /api/v1/suppressions/lift': 'manage_organization',
  'POST /api/v1/suppressions/import': 'manage_organization',
  'GET /api/v1/suppressions/export': 'manage_organization',
  'GET /api/v1/recipients/{email}': 'manage_organization',
  'GET /api/v1/contacts': 'manage_organization',
  'GET /api/v1/contacts/{email}': 'manage_organization',
  'DELETE /api/v1/contacts/{email}': 'manage_organization',
  'GET /api/unsubscribe': 'none',
  'POST /api/unsubscribe': 'any, or none',
  'GET /preferences': 'none',
  'POST /preferences': 'none',
  'GET /api/webhooks/queue/run': 'cron secret',
  'POST /api/v1/templates': 'templates_manage',
  'GET /api/v1/templates': 'any',
  'GET /api/v1/templates/{id}': 'any',
  'PUT /api/v1/templates/{id}': 'templates_manage',
  'DELETE /api/v1/templates/{id}': 'templates_manage',
  'POST /api/v1/templates/{id}/render': 'any',
  'POST /api/v1/webhooks': 'manage_organization',
  'GET /api/v1/webhooks': 'manage_organization',
  'GET /api/v1/webhooks/{id}': 'manage_organization',
  'PATCH /api/v1/webhooks/{id}': 'manage_organization',
  'DELETE /api/v1/webhooks/{id}': 'manage_organization',
  'POST /api/v1/webhooks/{id}/rotate-secret': 'manage_organization',
  'POST /api/v1/webhooks/{id}/test': 'manage_organization',
  'POST /api/v1/webhooks/{id}/verify': 'manage_organization',
  'GET /api/v1/webhooks/{id}/deliveries': 'manage_organization',
  'POST /api/v1/webhooks/deliveries/{id}/redeliver': 'manage_organization',
  'POST /api/v1/webhooks/{id}/redeliver-failed': 'manage_organization',
  'POST /api/v1/api-keys': 'manage_organization',
  'GET /api/v1/api-keys': 'manage_organization',
  'PATCH /api/v1/api-keys/{id}': 'manage_organization',
  'DELETE /api/v1/api-keys/{id}': 'manage_organization',
  'POST /api/v1/api-keys/{id}/rotate': 'manage_organization',
  'GET /api/v1/audit': 'manage_organization',
  'GET /api/v1/organization': 'manage_organization',
  'PATCH /api/v1/organization': 'manage_organization',
  'GET /api/v1/policies': 'manage_organization',
  'GET /api/v1/policies/{key}': 'manage_organization',
  'PUT /api/v1/policies/{key}': 'manage_organization',
  'DELETE /api/v1/policies/{key}': 'manage_organization',
  'POST /api/v1/categories': 'manage_organization',
  'GET /api/v1/categories': 'manage_organization',
  'PATCH /api/v1/categories/{key}': 'manage_organization',
  'DELETE /api/v1/categories/{key}': 'manage_organization',
  'POST /api/v1/organizations': 'operator secret',
  'GET /api/v1/organizations': 'operator secret',
  'GET /api/v1/organizations/{id}': 'operator secret',
  'PATCH /api/v1/organizations/{id}': 'operator secret',
  'DELETE /api/v1/organizations/{id}': 'operator secret',
  'POST /api/v1/organizations/{id}/api-keys': 'operator secret',
  'PUT /api/v1/organization/identity': 'manage_organization',
  'GET /api/v1/organization/identity': 'manage_organization',
  'DELETE /api/v1/organization/identity': 'manage_organization',
  'GET /api/v1/usage': 'manage_organization',
  'GET /t/c/{token}': 'none',
  'HEAD /t/c/{token}': 'none',
  'GET /t/o/{token}': 'none',
  'HEAD /t/o/{token}': 'none',
};

/** The table of all endpoints: `GET`, `HEAD /t/c/{token}` in one cell are two routes. */
function needsInReadme(): Record<string, string> {
  const readme = readFileSync(resolve(root, 'functions/README.md'), 'utf8');
  const [, table = ''] = readme.split('## Every endpoint');
  const rows = [...table.matchAll(/^\| (`[A-Z]+(?:`, `[A-Z]+)* ?.*?) \| (.*?) \|/gm)];
  return Object.fromEntries(
    rows.flatMap(([, cell = '', need = '']) => {
      const names = [...cell.matchAll(/`([A-Z]+)(?: (\/[^`]*))?`/g)];
      return names.map(([, method, path], index) => {
        const shared = path ?? names.slice(index).find(([, , later]) => later)?.[2];
        return [`${method} ${shared}`, need.replaceAll('`', '')];
      });
    }),
  );
}

/** The callers: nobody, and keys with one scope each or with none, which is one with the default scopes. */
const callers = [
  { who: 'nobody', granted: [] },
  { who: 'a key without scopes', granted: ['send_email', 'templates_manage'] },
  ...scopes.map((scope) => ({ who: `a key with ${scope}`, granted: [scope] })),
] as const;

/** Why a caller is not admitted, or `undefined`. */
function refusalOf({ who, granted }: (typeof callers)[number], need: string): string | undefined {
  if (need === 'operator secret') return 'invalid_operator_secret';
  if (need === 'cron secret') return 'invalid_cron_secret';
  if (need === 'none') return undefined;
  if (who === 'nobody') return need.endsWith(', or none') ? undefined : 'invalid_api_key';
  const [wanted = ''] = need.split(', ');
  const isAdmitted = wanted === 'any' || wanted.split(' or ').some((one) => grants(granted, one));
  return isAdmitted ? undefined : 'missing_scope';
}
const grants = (granted: readonly string[], scope: string): boolean => granted.includes(scope);
const refusals = [
  'invalid_operator_secret',
  'invalid_cron_secret',
  'invalid_api_key',
  'missing_scope',
];

describe('the scopes of a key', () => {
  it('are needed as the documents say', () => {
    expect(needsInReadme()).toEqual(needs);
  });

  it.each(callers)(
    'let $who do what they are for, and nothing else, at every route',
    async (caller) => {
      const { organizationId } = await service.newCaller();
      const listed = scopes.filter((scope) => caller.who === `a key with ${scope}`);
      const { text, apiKey } = buildApiKey({ organizationId, scopes: listed });
      await putNewApiKey(service.table, apiKey);
      const key = caller.who === 'nobody' ? undefined : text;

      const answers = await Promise.all(
        byRoute(needs).map(async ({ name, method, ...route }) => {
          const body = method === 'GET' || method === 'HEAD' ? undefined : {};
          const { code = '' } = await send({ method, ...route }, { body }, { key });
          return [name, refusals.includes(code) ? code : undefined];
        }),
      );

      expect(answers).toEqual(
        byRoute(needs).map(({ name, entry }) => [name, refusalOf(caller, entry)]),
      );
    },
  );
});

// The last: it deletes the organization.
describe('the requests that a stranger asks with', () => {
  it('are all answered to their owner, and none shows the secret that seals cursors', async () => {
    const { secret } = tenant.cursorOwner;
    const holders = [...(await itemsBut(stranger))].filter(([, item]) =>
      JSON.stringify(item).includes(secret),
    );
    const owned = inOrder(byRoute(asks))
      .flatMap((route) => route.entry(tenant, tenant).map((ask) => ({ ...route, ask })))
      .filter(({ ask }) => ask.admits !== 'nobody');
    const outcomes: [string, string][] = [];
    for (const { ask, ...route } of owned) {
      const headers = { 'x-operator-secret': operatorSecret };
      const answer = await send(route, ask, { key: tenant.key, headers });
      const isShown = answer.whole.includes(secret);
      outcomes.push([route.name, isShown ? 'the secret' : outcomeOf(answer)]);
    }

    expect(outcomes).toEqual(owned.map(({ name }) => [name, 'its own']));
    expect(holders).toHaveLength(1);
  });
});
