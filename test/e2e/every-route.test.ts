import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import type { StoredItem } from '#shared/table/table-client';
import type { EndpointName } from '../../functions/endpoints.ts';
import { endpointOf } from '../../functions/routes.ts';
import { operatorSecret } from '../support/faulty-aws.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { type Call, createTenant, type Tenant } from '../support/tenant.ts';
import {
  type Ask,
  askedRoutes,
  inOrder,
  lists,
  outcomeOf,
  type Route,
  requestsOfOwner,
  sealedFor,
  sendAsk,
  withCursor,
} from '../support/tenant-requests.ts';

// A key of one organization uses every route on everything another one has. When you add a route, add the other
// organization's request to `tenant-requests.ts`.

const service = await useFaultyService();
const tenant = await createTenant(service, 'alpha');
const stranger = await createTenant(service, 'omega');

type Request = Pick<Ask, 'id' | 'eventId' | 'query' | 'body'>;

/** Sends a request from the tables. */
const send = (route: Route, ask: Request, call: Call) => sendAsk(service, route, ask, call);
type Answer = Awaited<ReturnType<typeof send>>;

const requests = inOrder(askedRoutes).flatMap((route) =>
  route.entry(tenant, stranger).map((ask) => ({ ...route, ask })),
);

/** Every item except the tenant's own, by its key. */
async function itemsBut({ part }: Tenant): Promise<ReadonlyMap<string, StoredItem>> {
  const items = new Map<string, StoredItem>();
  const { client, name } = service.table;
  for await (const page of paginateScan({ client }, { TableName: name, ConsistentRead: true })) {
    for (const item of page.Items ?? []) items.set(`${item['pk']} ${item['sk']}`, item);
  }
  // The number of emails per address is shared by all organizations.
  const isCount = (key: string) => key.startsWith('ADDRESS#');
  // The table deletes it minutes later, possibly while the test runs.
  const isEndedLease = ({ sk, until }: StoredItem) => sk === 'LEASE' && until === 0;
  const others = [...items].filter(
    ([key, item]) => !isCount(key) && !isEndedLease(item) && !JSON.stringify(item).includes(part),
  );
  return new Map(others);
}

/** The texts of a request, which an answer may repeat. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, encodeURIComponent(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether the answer contains more of the tenant than the request: its marker or part occurs in all it has. */
function tellsOf({ word, part }: Tenant, { whole }: Answer, request: Request): boolean {
  const news = textsIn(request).reduce((text, asked) => text.replaceAll(asked, ''), whole);
  return news.includes(word) || news.includes(part);
}

describe("another organization's data", () => {
  it('is neither shown nor changed by any route, whichever of its ids a manager’s key names', async () => {
    const before = await itemsBut(stranger);
    const outcomes: [string, string][] = [];
    const tellers: string[] = [];
    // In sequence: some change what others need.
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

const routesById = askedRoutes.flatMap((route) => {
  const { unmatchedPath, access, errorForm } = endpointOf(route.functionName);
  // A session's routes take no key, which asks here.
  if (unmatchedPath === undefined || access === 'anybody' || access === 'session') return [];
  const names = { resend: 'not_found', postmark: '701' };
  return [{ ...route, unmatchedPath: errorForm ? names[errorForm] : unmatchedPath }];
});

describe('a malformed id', () => {
  it.each(routesById)(
    'gets $unmatchedPath from $name',
    async ({ entry, unmatchedPath, ...route }) => {
      const [ask] = entry(tenant, tenant);
      const call = { key: tenant.key, headers: { 'x-operator-secret': operatorSecret } };

      const answers = await Promise.all(
        ['nonsense', '\0'].map((id) => send(route, { ...ask, id }, call)),
      );

      expect(answers.map(outcomeOf)).toEqual([unmatchedPath, unmatchedPath]);
    },
  );
});

const pageShape = z.object({ nextCursor: z.string() });

const refused = 'validation_failed at cursor';

/** A list's answer to a cursor. */
async function goOn(asker: Tenant, route: Route, ask: Request, cursor: string) {
  return outcomeOf(await send(route, withCursor(ask, cursor), { key: asker.key }));
}

describe('a cursor', async () => {
  const listed = askedRoutes.flatMap(({ name, ...route }) => {
    const list = new Map(Object.entries(lists)).get(name);
    return list === undefined ? [] : [{ ...route, name, ...list }];
  });
  const cursors = new Map<string, string>();
  for (const { name, ask, sealed, ...route } of listed) {
    const page = sealed === undefined && (await send(route, ask(tenant), { key: tenant.key })).json;
    const cursor = sealed ? sealedFor(tenant, sealed) : pageShape.parse(page).nextCursor;
    cursors.set(name, cursor ?? '');
  }

  it('is accepted by these lists and no others', () => {
    const ofOperator = new Set([
      'GET /api/v1/organizations',
      'GET /api/v1/organization-usage',
      'GET /api/v1/domain-claims',
    ]);
    const taking: string[] = [];
    for (const { name, functionName } of askedRoutes) {
      if (!ofOperator.has(name) && takesCursor(functionName)) taking.push(name);
    }

    expect(listed.map(({ name }) => name)).toEqual(taking);
  });

  it.each(listed)('from $name continues in its own list', async ({ name, ask, ...route }) => {
    expect(await goOn(tenant, route, ask(tenant), cursors.get(name) ?? '')).toBe('its own');
  });

  it.each(listed)(
    'from another organization is refused by $name',
    async ({ name, ask, ...route }) => {
      expect(await goOn(stranger, route, ask(stranger), cursors.get(name) ?? '')).toBe(refused);
    },
  );

  it.each(listed)('from any other list is refused by $name', async ({ name, ask, ...route }) => {
    const others = [...cursors].filter(([list]) => list !== name);

    const answers = await Promise.all(
      others.map(([, cursor]) => goOn(tenant, route, ask(tenant), cursor)),
    );

    expect(answers).toEqual(others.map(() => refused));
  });

  it("from an organization isn't accepted by the operator’s list", async () => {
    const headers = { 'x-operator-secret': operatorSecret };
    const route = { method: 'GET', path: '/api/v1/organizations' };
    const query = { cursor: cursors.get('GET /api/v1/audit') ?? '' };

    const answer = await send(route, { query }, { headers });

    expect(outcomeOf(answer)).toBe(refused);
  });
});

/** Whether a function's query or body has a cursor. */
function takesCursor(functionName: EndpointName): boolean {
  const { query, body } = endpointOf(functionName);
  return [query, body].some(
    (schema) => schema instanceof mini.ZodMiniObject && 'cursor' in schema.shape,
  );
}

// The last: it deletes the organization.
describe('the requests from the other organization', () => {
  it('are all answered to their owner, and none shows the secret that encrypts cursors', async () => {
    const { secret } = tenant.cursorOwner;
    const holders = [...(await itemsBut(stranger))].filter(([, item]) =>
      JSON.stringify(item).includes(secret),
    );
    const owned = requestsOfOwner(tenant);
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
