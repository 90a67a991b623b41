import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { matchPath } from '#shared/http/match-path';
import { endpointOf, openPaths, type Route, routes } from '../../functions/routes.ts';
import { buildApiKey } from '../support/api-key-builder.ts';
import { useTwin } from '../support/twin.ts';

const stack = await useTwin();

const accessOf = ({ functionName }: Route) => endpointOf(functionName).access;

const isOpen = (route: Route) => accessOf(route) === 'anybody';
const needsKey = (route: Route) => {
  const access = accessOf(route);
  return typeof access === 'object' ? access.key === 'required' : access !== 'anybody';
};

const faulty = {
  'not a field': 1,
  to: 7,
  subscriptions: 7,
  url: 7,
  size: 'x',
  since: 'x',
  email: 7,
};
const badBodies = [
  { what: 'malformed JSON', contentType: 'application/json', body: '{"to":' },
  { what: 'no JSON at all', contentType: 'text/plain', body: 'to=ann@example.com' },
  { what: 'no content type', contentType: undefined, body: '{}' },
  { what: 'a malformed form', contentType: 'multipart/form-data', body: '--no boundary' },
  { what: 'every field at fault', contentType: 'application/json', body: JSON.stringify(faulty) },
];
type BadBody = (typeof badBodies)[number];

/** All JSON is read in the same way, so each API has one of them; other content types have all. */
const requestsTo = (asked: readonly Route[]) =>
  asked.flatMap((route, place) => {
    const readsJson = endpointOf(route.functionName).accepts === undefined;
    const bodies = readsJson
      ? badBodies.filter((_, at) => at === place % badBodies.length)
      : badBodies;
    return bodies.map((bad) => ({ route, bad }));
  });

const faultyQuery = '?limit=0&cursor=!&from=x&to=x&sends=maybe&status=x&type=x';
const pathOf = ({ path }: Route) => path.replaceAll(/\{\w+\+?\}/g, 'no-such-thing');
/** Ours, or the errors of an endpoint in another service's form. */
const problemSchema = z.union([
  z.object({ code: z.string() }),
  z.pipe(
    z.object({ name: z.string() }),
    z.transform(({ name }) => ({ code: name })),
  ),
  z.pipe(
    z.object({ ErrorCode: z.number() }),
    z.transform(({ ErrorCode }) => ({ code: `${ErrorCode}` })),
  ),
]);

async function ask(route: Route, { contentType, body }: BadBody, key?: string) {
  const hasBody = route.method !== 'GET' && route.method !== 'HEAD';
  const response = await fetch(stack.baseUrl + pathOf(route) + faultyQuery, {
    method: route.method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
    ...(hasBody && { body: new TextEncoder().encode(body) }),
  });
  const text = await response.text();
  return [response.status, problemSchema.safeParse(text && JSON.parse(text)).data?.code];
}

/** @param hasKey whether it sends an invalid one. */
const refusalOf = (route: Route, hasKey: boolean) => {
  const access = accessOf(route);
  const { errorForm } = endpointOf(route.functionName);
  if (errorForm === 'resend') {
    return hasKey ? [403, 'invalid_api_key'] : [401, 'missing_api_key'];
  }
  if (errorForm === 'postmark') return [401, '10'];
  if (access === 'cron_secret') return [401, 'invalid_cron_secret'];
  return [401, access === 'operator' ? 'invalid_operator_secret' : 'invalid_api_key'];
};

describe('a request with an unreadable body', () => {
  it.each([
    { caller: 'a wrong key', key: buildApiKey().text, asked: routes.filter((one) => !isOpen(one)) },
    { caller: 'no key, where one is needed,', key: undefined, asked: routes.filter(needsKey) },
  ])('from $caller is only told about the key, on every route', async ({ key, asked }) => {
    const requests = requestsTo(asked);

    const answers = await Promise.all(requests.map(({ route, bad }) => ask(route, bad, key)));

    const nameOf = ({ route: { method, path }, bad }: (typeof requests)[number]) =>
      `${method} ${path}, ${bad.what}`;
    expect(requests.map((one, at) => [nameOf(one), ...(answers[at] ?? [])])).toEqual(
      requests.map((one) => [nameOf(one), ...refusalOf(one.route, key !== undefined)]),
    );
  });
});

describe('a request that no endpoint takes', () => {
  const problemFields = z.union([
    z.object({ status: z.int(), code: z.string(), requestId: z.string() }),
    z.object({ statusCode: z.int(), name: z.string(), message: z.string() }),
    z.object({ ErrorCode: z.int(), Message: z.string() }),
  ]);

  async function knock(method: string, path: string) {
    const response = await fetch(stack.baseUrl + path, { method });
    const { headers } = response;
    const text = await response.text();
    return {
      status: response.status,
      headers,
      problem: text && problemFields.parse(JSON.parse(text)),
    };
  }

  it('to an unknown path gets a problem with the request id', async () => {
    const { status, headers, problem } = await knock('GET', '/api/v1/no-such-thing');

    const requestId = headers.get('x-request-id');
    expect({ status, problem }).toEqual({
      status: 404,
      problem: { status: 404, code: 'endpoint_not_found', requestId },
    });
    expect(headers.get('content-type')).toBe('application/problem+json');
  });

  it.each(openPaths)(
    'to $path gets a problem with the allowed methods',
    async ({ path, methods: own }) => {
      const concrete = path.replaceAll(/\{\w+\+?\}/g, 'no-such-thing');
      // Another path may match the same text, as `/templates/{id}` matches `/templates/names`, with its own method.
      const taken = openPaths.filter((open) => matchPath(open.path, concrete) !== undefined);
      const methods: readonly string[] = taken.flatMap((open) => open.methods);
      const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
        (method) => !methods.includes(method),
      );

      const answers = await Promise.all(others.map((method) => knock(method, concrete)));

      for (const { status, headers } of answers) {
        expect(status).toBe(405);
        expect(headers.get('allow')?.split(', ')).toEqual(own.toSorted());
        expect(headers.get('x-request-id')).toBeTruthy();
      }
    },
  );
});
