import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import type { ApiKey } from '#shared/access/api-key';
import { putApiKey } from '#shared/access/api-key-store';
import { readRequestQuota } from '#shared/access/request-quota-store';
import { keyShownMs, newSession } from '#shared/access/sign-in';
import {
  type Access,
  defineEndpoint,
  type Endpoint,
  WithHeaders,
} from '#shared/endpoints/endpoint';
import { requireBody } from '#shared/endpoints/received-body';
import { answer, serve, serveUnadmitted } from '#shared/endpoints/serve';
import { openRequestLog } from '#shared/observability/request-log';
import { putOrganization } from '#shared/organizations/organization-store';
import type { Table } from '#shared/table/table-client';
import {
  newOrganizationId,
  newTemplateId,
  organizationIdOf,
  templateIdSchema,
} from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { buildHttpEvent } from '../../support/http-event-builder.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { type Intercept, openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { problemIn } from '../../support/problem.ts';

vi.stubEnv('TABLE_NAME', 'none');

const nothing = () => ({});

const now = 1_750_000_000_000;
const clock = () => ({ now: () => now });

/** A table that holds these keys, and the organizations that they're of. */
async function tableOf(keys: readonly ApiKey[], intercept?: Intercept): Promise<Table> {
  const { table } = openMemoryTable(intercept && { intercept });
  const ids = new Set(keys.map((apiKey) => organizationIdOf(apiKey.id)));
  for (const organizationId of ids) {
    await putOrganization(table, buildOrganization({ id: organizationId }));
  }
  for (const apiKey of keys) await putApiKey(table, apiKey);
  return table;
}

/** An endpoint that answers who called it and with which body. */
const declare = <const A extends Access>(access: A) =>
  defineEndpoint({
    route: 'POST /api/v1/templates/{id}',
    access,
    path: z.object({ id: templateIdSchema }),
    unmatchedPath: 'template_not_found',
    body: z.unknown(),
    answers: { 200: { body: z.unknown(), description: 'What it got.' } },
    lambda: { tableActions: [] },
    words: { section: 'Templates', summary: 'Repeat a request', description: 'As it is.' },
  });

type Anybody = ReturnType<typeof declare<'anybody'>>;

const id = newTemplateId(newOrganizationId());
const post = (body: string | undefined, overrides: Parameters<typeof buildHttpEvent>[0] = {}) =>
  buildHttpEvent({ pathParameters: { id }, ...(body !== undefined && { body }), ...overrides });

const echo = serve(
  defineEndpoint({ ...declare('anybody'), uses: nothing }, async ({ body }) => ({ body })),
);

describe('the body of an endpoint', () => {
  it('is parsed', async () => {
    const response = await echo(post('{"to":"ann@example.com"}'), lambdaContext());

    expect(JSON.parse(response.body)).toEqual({ body: { to: 'ann@example.com' } });
  });

  it('is decoded when API Gateway encoded it in base64', async () => {
    const body = Buffer.from('{"to":"änn"}').toString('base64');

    const response = await echo(post(body, { isBase64Encoded: true }), lambdaContext());

    expect(JSON.parse(response.body)).toEqual({ body: { to: 'änn' } });
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=us-ascii',
    'application/json; profile=a',
    'APPLICATION/JSON',
  ])('may have the content type %s', async (contentType) => {
    const event = post('{}', { headers: { 'content-type': contentType } });

    expect((await echo(event, lambdaContext())).statusCode).toBe(200);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json;Charset="windows-1252"',
    undefined,
  ])('may not have the content type %s', async (contentType) => {
    captureOutput();
    const event = post('{}', { headers: { 'content-type': contentType } });

    const response = await echo(event, lambdaContext());

    expect(response.statusCode).toBe(400);
    expect(problemIn(response).code).toBe('unsupported_content_type');
  });

  it('is refused when it is malformed JSON, and quoted neither in the answer nor in the log', async () => {
    const output = captureOutput();

    const response = await echo(post('{"to":"ann@example.com",}'), lambdaContext());

    expect(response.statusCode).toBe(400);
    expect(problemIn(response).code).toBe('malformed_json');
    expect(response.body).not.toContain('ann@example.com');
    expect(output.text()).toContain('malformed_json');
    expect(output.text()).not.toContain('ann@example.com');
  });

  it('may be missing where the declaration says so', async () => {
    const optional = { ...declare('anybody'), isBodyOptional: true } as const;
    const handler = serve(
      defineEndpoint({ ...optional, uses: nothing }, async ({ body }) => ({ body })),
    );

    const response = await handler(post(undefined, { headers: {} }), lambdaContext());

    expect(JSON.parse(response.body)).toEqual({ body: {} });
  });

  it('is not read by an endpoint that declares none', async () => {
    const { body: _, ...bodiless } = declare('anybody');
    const handler = serve(defineEndpoint({ ...bodiless, uses: nothing }, async ({ path }) => path));

    const response = await handler(post('{', { headers: {} }), lambdaContext());

    expect(JSON.parse(response.body)).toEqual({ id });
  });
});

describe('a path that does not match the schema', () => {
  it.each(['', 'nonsense', 'tpl_', '__proto__', '../templates', undefined])(
    'names nothing: %j',
    async (unmatched) => {
      captureOutput();
      const event = post('{}', { pathParameters: { id: unmatched } });

      expect(problemIn(await echo(event, lambdaContext())).code).toBe('template_not_found');
    },
  );

  it('is told after every fault of the request', async () => {
    captureOutput();
    const event = post('{', { pathParameters: { id: 'nonsense' } });

    expect(problemIn(await echo(event, lambdaContext())).code).toBe('malformed_json');
  });
});

describe('a query of an endpoint that declares none', async () => {
  const { text, apiKey } = buildApiKey({ scopes: ['read_sends'] });
  const table = await tableOf([apiKey]);
  const ofKeys = declare({ key: 'required', scope: 'read_sends' });
  const event = (key: string) =>
    post('{}', {
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      queryStringParameters: { idempotencyKey: 'key-1' },
    });
  const nobody = async () => ({ key: 'nobody' });

  it.each([
    ['an operation', serve(defineEndpoint({ ...ofKeys, uses: clock }, nobody), table)],
    [
      'an operation that reads the body only',
      serveUnadmitted(
        defineEndpoint({ admitsInOperation: true, ...ofKeys, uses: clock }, async ({ readBody }) =>
          requireBody(readBody()),
        ),
        table,
      ),
    ],
  ])('is refused to programs, once they are known, by %s', async (_what, handler) => {
    captureOutput();

    const problem = problemIn(await handler(event(text), lambdaContext()));

    expect(problem).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'idempotencyKey', message: expect.stringMatching(/^unknown parameter/) }],
    });
  });

  it('is not looked at before the caller is known', async () => {
    captureOutput();
    const handler = serve(defineEndpoint({ ...ofKeys, uses: clock }, nobody), table);

    const response = await handler(event('nonsense'), lambdaContext());

    expect(problemIn(response).code).toBe('invalid_api_key');
  });

  it.each([
    ['people', { ...ofKeys, isForPeople: true } as const],
    ['anybody', declare('anybody')],
  ])('is ignored of %s', async (_who, endpoint) => {
    const handler = serve(defineEndpoint({ ...endpoint, uses: clock }, nobody), table);

    expect((await handler(event(text), lambdaContext())).statusCode).toBe(200);
  });
});

describe('a body of more than 64 KB', () => {
  const { text, apiKey } = buildApiKey();
  const large = JSON.stringify({ content: 'x'.repeat(64 * 1024) });
  const small = JSON.stringify({ content: 'x'.repeat(1024) });
  const keyed = declare({ key: 'required' });
  const optional = declare({ key: 'optional' });

  /** What was done, in order. */
  async function prepare(endpoint: typeof keyed | typeof optional | Anybody, own = {}) {
    captureOutput();
    const steps: string[] = [];
    const table = await tableOf([apiKey], (call, run) => {
      if (`${call.operation === 'GetItem' && call.input.Key?.['sk']?.S}`.startsWith('KEY')) {
        steps.push('reads the key');
      }
      return run();
    });
    const handler = serveUnadmitted(
      defineEndpoint(
        { admitsInOperation: true, ...endpoint, uses: clock },
        async ({ readBody }) => {
          steps.push('reads the body');
          return requireBody(readBody());
        },
      ),
      table,
    );
    const ask = async (body: string, key?: string) => {
      const headers = { 'content-type': 'application/json', ...(key && { 'x-api-key': key }) };
      const { statusCode, ...response } = await handler(
        post(body, { headers, ...own }),
        lambdaContext(),
      );
      return statusCode === 200 ? 'read' : problemIn({ statusCode, ...response }).code;
    };
    return { ask, steps };
  }

  it('is read only once its key is known', async () => {
    const forged = await prepare(keyed);
    const without = await prepare(keyed);
    const known = await prepare(keyed);

    const codes = [
      await forged.ask(large, buildApiKey().text),
      await without.ask(large),
      await known.ask(large, text),
    ];

    expect(codes).toEqual(['invalid_api_key', 'invalid_api_key', 'read']);
    expect(forged.steps).toEqual(['reads the key']);
    expect(without.steps).toEqual([]);
    expect(known.steps).toEqual(['reads the key', 'reads the body']);
  });

  it('is the only one whose key is read first', async () => {
    const { ask, steps } = await prepare(keyed);

    await ask(small, buildApiKey().text);

    expect(steps).toEqual(['reads the body']);
  });

  it.each([
    ['without a key where one may be left out', optional],
    ['by an endpoint for anybody', declare('anybody')],
  ])('is refused unread %s', async (_what, endpoint) => {
    const admitting = serve(defineEndpoint({ ...endpoint, uses: () => ({}) }, async () => ({})));
    const { ask, steps } = await prepare(endpoint);

    const code = await ask(large);
    const problem = problemIn(await admitting(post(large), lambdaContext()));

    expect([code, problem.code]).toEqual(['too_large', 'too_large']);
    expect(steps).toEqual([]);
  });

  it('is read without a key from a caller that IAM admits', async () => {
    const event = post(large);
    const authorizer = { iam: { accountId: '123456789012' } };
    const { ask, steps } = await prepare(keyed, {
      requestContext: { ...event.requestContext, authorizer },
    });

    expect(await ask(large)).toBe('read');
    expect(steps).toEqual(['reads the body']);
  });
});

describe('the caller', async () => {
  const reader = buildApiKey({ scopes: ['read_sends'] });
  const sender = buildApiKey({ scopes: ['send_email'] });
  const revoked = buildApiKey({ scopes: [], revokedAt: now });
  const table = await tableOf([reader, sender, revoked].map(({ apiKey }) => apiKey));
  const required = serve(
    defineEndpoint(
      { ...declare({ key: 'required', scope: 'read_sends' }), uses: clock },
      async ({ caller }) => ({ key: caller.apiKey.id }),
    ),
    table,
  );
  const optional = serve(
    defineEndpoint(
      { ...declare({ key: 'optional', scope: 'read_sends' }), uses: clock },
      async ({ caller }) => ({ key: caller?.apiKey.id ?? 'nobody' }),
    ),
    table,
  );
  const session = serve(
    defineEndpoint({ ...declare('session'), uses: clock }, async ({ caller }) => ({
      key: caller.apiKey.id,
    })),
    table,
  );

  async function outcomeOf(handler: typeof required, key: string | undefined, body = '{}') {
    captureOutput();
    const headers = {
      'content-type': 'application/json',
      ...(key !== undefined && { 'x-api-key': key }),
    };
    const response = await handler(post(body, { headers }), lambdaContext());
    return response.statusCode === 200 ? JSON.parse(response.body).key : problemIn(response).code;
  }

  it('is the key that was presented', async () => {
    expect(await outcomeOf(required, reader.text)).toBe(reader.apiKey.id);
    expect(await outcomeOf(optional, reader.text)).toBe(reader.apiKey.id);
  });

  it('may be nobody where a key is optional, and nowhere else', async () => {
    expect(await outcomeOf(optional, undefined)).toBe('nobody');
    expect(await outcomeOf(required, undefined)).toBe('invalid_api_key');
  });

  it.each([
    ['an empty key', '', 'invalid_api_key'],
    ['nonsense', 'nonsense', 'invalid_api_key'],
    ['an unknown key', buildApiKey({ scopes: ['read_sends'] }).text, 'invalid_api_key'],
    ['a revoked key without the scope', revoked.text, 'invalid_api_key'],
    ['a key without the scope', sender.text, 'missing_scope'],
  ])('is refused with %s, whether or not a key is optional', async (_what, key, code) => {
    expect(await outcomeOf(required, key)).toBe(code);
    expect(await outcomeOf(optional, key)).toBe(code);
  });

  it.each([undefined, reader.text])('is no session without a cookie: %j', async (key) => {
    expect(await outcomeOf(session, key)).toBe('invalid_api_key');
  });

  it('is admitted before anything is said about the body', async () => {
    expect(await outcomeOf(required, sender.text, '{')).toBe('missing_scope');
    expect(await outcomeOf(required, reader.text, '{')).toBe('malformed_json');
  });

  it('is left to an operation that admits it itself, before it reads the parts', async () => {
    captureOutput();
    const handler = serveUnadmitted(
      defineEndpoint(
        { admitsInOperation: true, ...declare('anybody'), uses: clock },
        async ({ credential, readParts }) => ({
          credential,
          ...(credential !== undefined && readParts()),
        }),
      ),
    );

    const response = await handler(post('{', { headers: {} }), lambdaContext());

    expect(JSON.parse(response.body)).toEqual({});
  });
});

describe('an answer', () => {
  const log = openRequestLog({ requestId: 'request-1' });
  const answering = (answers: Endpoint['answers'], answered: unknown) =>
    answer({ ...declare('anybody'), answers }, answered, log);
  const sent = { description: 'It is out.', body: z.strictObject({ messageId: z.string() }) };
  const queued = { description: 'It goes out.', body: z.object({ sendAt: z.number() }) };

  it('has the lowest status that is declared, in whatever order', () => {
    const response = answering({ 422: queued, 202: sent }, { messageId: 'm' });

    expect(response.statusCode).toBe(202);
  });

  it('has the status that the operation names, and the body declared for it', () => {
    const response = answering({ 200: sent, 202: queued }, new WithHeaders({ sendAt: 1 }, {}, 202));

    expect(response).toMatchObject({ statusCode: 202, body: '{"sendAt":1}' });
  });

  it('is sent when it is not as declared, since the work is done, and raises an alarm', () => {
    const output = captureOutput();

    const response = answering({ 200: sent }, { messageId: 7 });

    expect(response).toMatchObject({ statusCode: 200, body: '{"messageId":7}' });
    expect(output.text()).toContain('"message":"answer not as declared"');
    expect(output.text()).toContain('"answerFields":["messageId"]');
    expect(output.text()).toContain('"SchemaMismatch":1');
  });

  it('is sent with a status that nobody declared, and raises an alarm', () => {
    const output = captureOutput();

    const response = answering({ 200: sent }, new WithHeaders({ messageId: 'm' }, {}, 202));

    expect(response).toMatchObject({ statusCode: 202, body: '{"messageId":"m"}' });
    expect(output.text()).toContain('"SchemaMismatch":1');
  });

  it('raises no alarm when it is as declared', () => {
    const output = captureOutput();

    answering({ 200: sent }, { messageId: 'm' });

    expect(output.text()).toBe('');
  });
});

describe('an endpoint that asks a session for its key', () => {
  const { apiKey, text } = buildApiKey({ scopes: ['manage_organization'] });

  /** Of a session that began so long ago, with the key or with a link. */
  function sessionOf(begunWith: 'key' | 'link', ageMs: number) {
    const begun = newSession(apiKey, { by: begunWith }, now - ageMs);
    return { text: begun.text, apiKey: { ...apiKey, signIns: [begun.signIn] } };
  }
  const ask = async (
    freshSession: true | readonly string[],
    { text: credential, apiKey }: { readonly text: string; readonly apiKey: ApiKey },
    body: object,
  ) => {
    captureOutput();
    const access = { key: 'required', scope: 'manage_organization', freshSession } as const;
    const table = await tableOf([apiKey]);
    const handler = serve(
      defineEndpoint(
        {
          ...declare(access),
          isLimited: true,
          uses: () => ({ limitsOfDeployment: { changesPerDay: 10 }, now: () => now }),
        },
        async () => 'done',
      ),
      table,
    );
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${credential}`,
    };
    const response = await handler(post(JSON.stringify(body), { headers }), lambdaContext());
    const outcome = response.statusCode === 200 ? 'done' : problemIn(response).code;
    const counted = await readRequestQuota(table, organizationIdOf(apiKey.id), 'CHANGES', now);
    return { outcome, counted };
  };
  const refused = { outcome: 'key_confirmation_required', counted: 0 };
  const done = { outcome: 'done', counted: 1 };

  it.each([
    { begunWith: 'link', ageMs: 0, answer: refused },
    { begunWith: 'key', ageMs: keyShownMs, answer: refused },
    { begunWith: 'key', ageMs: keyShownMs - 1, answer: done },
  ] as const)(
    'answers one that began with a $begunWith $ageMs ms ago: $answer.outcome',
    async ({ begunWith, ageMs, answer }) => {
      expect(await ask(true, sessionOf(begunWith, ageMs), {})).toEqual(answer);
    },
  );

  it('asks no key itself', async () => {
    expect(await ask(true, { text, apiKey }, {})).toEqual(done);
  });

  it.each([
    { body: { name: 'New' }, answer: done },
    { body: { url: 'https://evil.example' }, answer: refused },
    { body: { name: 'New', url: null }, answer: refused },
    { body: ['url'], answer: done },
  ])('asks only when $body has one of the fields', async ({ body, answer }) => {
    expect(await ask(['url'], sessionOf('link', 0), body)).toEqual(answer);
  });
});
