import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createApiCaller } from '../support/api-caller.ts';
import { giveNothingUp } from '../support/held-timeout.ts';
import { useTwin } from '../support/twin.ts';

giveNothingUp();

const { baseUrl, manageKey } = await useTwin();
const call = createApiCaller(baseUrl, manageKey);

const createdShape = z.object({ id: z.string(), key: z.string() });
const entryShape = z.strictObject({
  apiKeyId: z.string(),
  route: z.string(),
  status: z.number(),
  code: z.string(),
  fields: z.array(z.string()),
  message: z.string(),
  at: z.number(),
  requestId: z.string(),
  count: z.number(),
  requestIds: z.array(z.string()).optional(),
  shape: z.string().optional(),
});
const pageShape = z.strictObject({
  data: z.array(entryShape),
  nextCursor: z.string().nullable(),
  lookedUntil: z.number().nullable(),
});

async function newKey(scopes: readonly string[] = []) {
  const { json } = await call('POST', '/api/v1/api-keys', { body: { name: 'billing', scopes } });
  return createdShape.parse(json);
}

async function refusalsOf(id: string, query: Readonly<Record<string, string>> = {}) {
  const search = new URLSearchParams({ key: id, ...query });
  const { status, json } = await call('GET', `/api/v1/requests?${search}`);
  expect(status).toBe(200);
  return pageShape.parse(json).data;
}

/** Ids and times may contain any letters or digits. */
const idsAndTimes = new Set(['apiKeyId', 'requestId', 'requestIds', 'at']);

const wordsOf = (refusals: readonly z.output<typeof entryShape>[]): string =>
  JSON.stringify(refusals, (name, value: unknown) => (idsAndTimes.has(name) ? undefined : value));

const send = '/api/v1/emails/send';
const email = { to: 'ann@example.com', subject: 'Hi', content: 'Hi Ann' };

describe('a program whose requests are refused', () => {
  it('can find out why, and nothing it sent is stored', async () => {
    const { id, key } = await newKey();
    const body = { ...email, to: 'no address', html: '<p>Hi</p>', 'ann@example.com': 'Ann' };
    const before = Date.now();

    const answer = await call('POST', send, { key, body });
    await call('GET', '/api/v1/contacts/ann@example.com', { key });

    const refusals = await refusalsOf(id);
    const shared = { apiKeyId: id, count: 1 };
    expect(refusals).toHaveLength(2);
    expect(refusals).toContainEqual({
      ...shared,
      route: 'POST /api/v1/emails/send',
      status: 400,
      code: 'validation_failed',
      fields: ['*', 'html', 'to'],
      message: expect.stringMatching(/^`to` .*; `html` .*use htmlContent/),
      at: expect.any(Number),
      requestId: answer.headers.get('x-request-id'),
    });
    expect(refusals).toContainEqual({
      ...shared,
      route: 'GET /api/v1/contacts/{email}',
      status: 403,
      code: 'missing_scope',
      fields: [],
      message: expect.stringContaining('scope'),
      at: expect.any(Number),
      requestId: expect.any(String),
    });
    for (const { at } of refusals) expect(at).toBeGreaterThanOrEqual(before);
    expect(JSON.stringify(refusals)).not.toMatch(/ann@|no address/);
  });

  it('is found by key, route, code and time', async () => {
    const { id, key } = await newKey();
    await call('POST', send, { key, body: { ...email, html: 'x' } });
    await call('GET', '/api/v1/audit', { key });
    const codes = async (query: Readonly<Record<string, string>>) =>
      (await refusalsOf(id, query)).map(({ code }) => code);

    expect(await codes({ route: 'POST /api/v1/emails/send' })).toEqual(['validation_failed']);
    expect(await codes({ code: 'missing_scope' })).toEqual(['missing_scope']);
    expect(await codes({ code: 'malformed_json' })).toEqual([]);
    expect(await codes({ from: `${Date.now() - 600_000}` })).toHaveLength(2);
    expect(await codes({ until: `${Date.now() - 1_200_000}` })).toEqual([]);
  });

  it('is found by the id of its answer', async () => {
    const { id, key } = await newKey();
    const first = await call('POST', send, { key, body: { ...email, html: 'x' } });
    await call('POST', send, { key, body: { ...email, html: 'x' } });
    const requestId = first.headers.get('x-request-id') ?? '';

    const [refusal, ...others] = await refusalsOf(id, { requestId });

    expect(others).toEqual([]);
    expect(refusal?.code).toBe('validation_failed');
    expect(await refusalsOf(id, { requestId: 'none' })).toEqual([]);
    const refused = await call('GET', '/api/v1/requests?requestId=a%20b');
    expect(refused.status).toBe(400);
  });

  it('has the shape of its body only while the organization keeps them', async () => {
    const { id, key } = await newKey();
    const body = { ...email, to: 'no address', variables: { code: 4_711, 'ann@example.com': [1] } };
    const keepShapes = (keepRefusedShapes: boolean) =>
      call('PATCH', '/api/v1/organization', { body: { keepRefusedShapes } });

    await call('POST', send, { key, body });
    expect((await keepShapes(true)).json).toMatchObject({ keepRefusedShapes: true });
    await call('POST', '/resend/emails', { key, body });
    await call('POST', '/postmark/email', { key, body: { To: 'no address' } });
    await keepShapes(false);
    await call('POST', '/api/v1/emails/batch', { key, body: { emails: [body] } });

    const refusals = await refusalsOf(id);
    const shapes = new Map(refusals.map(({ route, shape }) => [route, shape]));
    expect(shapes).toEqual(
      new Map([
        ['POST /api/v1/emails/send', undefined],
        [
          'POST /resend/emails',
          '{ to: string, subject: string, content: string, variables: { code: number, *: [number] } }',
        ],
        ['POST /postmark/email', '{ To: string }'],
        ['POST /api/v1/emails/batch', undefined],
      ]),
    );
    expect(wordsOf(refusals)).not.toMatch(/ann@|no address|4711/);
  });

  it.each([
    [send, { ...email, policyKey: 'zq.secret' }],
    [send, { ...email, templateId: 'zq secret' }],
    [send, { ...email, from: 'hello@zqsecret.example' }],
    [send, { ...email, replyTo: 'zq secret <zq@>' }],
    [send, { ...email, headers: { 'X-zq secret': 'zq\nsecret' } }],
    [send, { ...email, idempotencyKey: '' }],
    [send, { ...email, attachments: [{ filename: 'zq.pdf', url: 'https://10.0.0.1/zqsecret' }] }],
    [send, { ...email, sendAt: 'zqsecret' }],
    ['/api/v1/webhooks', { url: 'https://10.0.0.1/zqsecret' }],
    ['/api/v1/webhooks', { url: 'https://zq:secret@hooks.example/' }],
    ['/api/v1/notice-targets/team', { type: 'slack', url: 'https://evil.example/zqsecret' }],
    ['/api/v1/templates', { name: 'x', subject: '{{#open}} zqsecret', content: 'zqsecret' }],
    ['/api/v1/suppressions', { email: 'zqsecret' }],
    ['/api/v1/domains', { domain: 'zq secret' }],
    ['/api/v1/people', { email: 'zqsecret', role: 'zqsecret' }],
    ['/resend/emails', { from: 'zqsecret', to: 'zqsecret@', subject: 'x', text: 'x' }],
    ['/postmark/email', { From: 'zqsecret', To: 'zqsecret@', Subject: 'x', TextBody: 'x' }],
  ])('is told nothing of what it sent to %s: %j', async (path, body) => {
    const { id, key } = await newKey(['manage_organization', 'send_email']);
    const method = path.includes('notice-targets') ? 'PUT' : 'POST';

    const { status } = await call(method, path, { key, body });

    expect(status).toBeGreaterThanOrEqual(400);
    const refusals = await refusalsOf(id);
    expect(refusals.length).toBeGreaterThan(0);
    expect(wordsOf(refusals)).not.toMatch(/zq/);
  });

  it("can find out why a batch's emails were refused, even when the rest was sent", async () => {
    const { id, key } = await newKey();
    const emails = [email, { ...email, to: 'no address' }, { ...email, to: '' }, { html: 'x' }];

    const answer = await call('POST', '/api/v1/emails/batch', { key, body: { emails } });

    const requestId = answer.headers.get('x-request-id');
    expect(answer.status).toBe(200);
    const refusals = await refusalsOf(id);
    expect(refusals).toHaveLength(2);
    const shared = { route: 'POST /api/v1/emails/batch', code: 'validation_failed', requestId };
    expect(refusals).toContainEqual(
      expect.objectContaining({ ...shared, fields: ['emails.*.to'], count: 2 }),
    );
    expect(JSON.stringify(refusals)).not.toContain('no address');
  });

  it.each([
    [
      '/resend/emails',
      { from: 'hello@mail.example.com', to: 'ann@example.com', subject: 'Hi', reply_to: 'x' },
      { status: 422, fields: ['reply_to.*', 'text'] },
    ],
    [
      '/postmark/email',
      { From: 'hello@mail.example.com', To: 'ann@example.com', TextBody: 'Hi' },
      { status: 422, fields: ['Subject'] },
    ],
  ])('can read the status and names of %s', async (path, body, expected) => {
    const { id, key } = await newKey();

    const { status } = await call('POST', path, { key, body });

    expect(status).toBe(expected.status);
    const [refusal, ...others] = await refusalsOf(id);
    expect(others).toEqual([]);
    expect(refusal).toMatchObject({ ...expected, code: 'validation_failed' });
    for (const field of expected.fields) expect(refusal?.message).toContain(`\`${field}\` `);
  });

  it('is counted no matter how fast it loops', async () => {
    const { id, key } = await newKey();
    for (let count = 0; count < 7; count += 1) await call('GET', '/api/v1/audit', { key });

    const refusals = await refusalsOf(id);
    expect(refusals.reduce((sum, { count }) => sum + count, 0)).toBe(7);
    // One of each minute.
    expect(refusals.length).toBeLessThanOrEqual(2);
  });

  it('is found under its revoked key, which it may still use', async () => {
    const { id, key } = await newKey();
    await call('DELETE', `/api/v1/api-keys/${id}`);

    // Four kinds for one key and minute always find a slot.
    for (const [method, path] of [
      ['POST', send],
      ['GET', '/api/v1/sends/snd_x'],
      ['POST', '/console/links'],
      ['POST', '/api/unsubscribe'],
    ] as const) {
      await call(method, path, { key, ...(method === 'POST' && { body: email }) });
    }

    const refusals = await refusalsOf(id, { code: 'invalid_api_key' });
    expect(refusals.map(({ route }) => route).toSorted()).toEqual([
      'GET /api/v1/sends/{id}',
      'POST /api/unsubscribe',
      'POST /api/v1/emails/send',
      'POST /console/links',
    ]);
  });

  it('is not listed for a guessed key or a successful request', async () => {
    const { id, key } = await newKey();

    await call('POST', send, { key, body: email });
    const guessed = key.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
    await call('POST', send, { key: guessed, body: {} });
    await call('POST', send, { key: null, body: {} });

    expect(await refusalsOf(id)).toEqual([]);
  });

  it.each([
    [['read_sends'], 200],
    [['manage_organization'], 200],
    [['send_email'], 403],
    [[], 403],
  ])('is shown to a key with %j: %j', async (scopes, status) => {
    const { key } = await newKey(scopes);

    expect((await call('GET', '/api/v1/requests', { key })).status).toBe(status);
  });
});
