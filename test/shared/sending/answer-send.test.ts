import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { ProviderOutcome } from '#shared/email/email-provider';
import { serveUnadmitted } from '#shared/endpoints/serve';
import { feedbackIdOf } from '#shared/tokens/resource-id';
import { endpoint } from '../../../functions/send-email/send-email.ts';
import { buildAttachmentField } from '../../support/attachment-builder.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { buildHttpEvent } from '../../support/http-event-builder.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { problemIn } from '../../support/problem.ts';
import { buildSendBody } from '../../support/send-body-builder.ts';
import { openSendWorld, startOfWorld } from '../../support/send-world.ts';
import { sendingVariables } from '../../support/sending-variables.ts';

for (const [name, value] of Object.entries(sendingVariables)) vi.stubEnv(name, value);
afterAll(() => vi.unstubAllEnvs());

type World = Parameters<typeof openSendWorld>[0];
type Call = {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly event?: Parameters<typeof buildHttpEvent>[0];
  readonly remainingMs?: number;
};

/** Posts with the world's key, unless the headers say otherwise. */
async function openEndpoint(given?: World) {
  const output = captureOutput();
  const world = await openSendWorld(given);
  const handler = serveUnadmitted({ ...endpoint, uses: () => world.sending }, world.sending.table);
  const post = async ({ headers, body, event, remainingMs = 30_000 }: Call = {}) => {
    const request = buildHttpEvent({
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${world.credential}`,
        ...headers,
      },
      body: JSON.stringify(body ?? buildSendBody()),
      ...event,
    });
    const response = await handler(request, {
      ...lambdaContext(),
      getRemainingTimeInMillis: () => remainingMs,
    });
    return {
      ...response,
      json: z.record(z.string(), z.unknown()).parse(JSON.parse(response.body)),
    };
  };
  return { post, world, logged: output.text };
}

const key = { 'idempotency-key': 'key-1' };

describe('POST /api/v1/emails/send', () => {
  it('answers what became of the email, and no header that nobody asked for', async () => {
    const { post, world } = await openEndpoint();

    const { statusCode, json, headers } = await post();

    const { id: sendId } = world.stored();
    expect(statusCode).toBe(200);
    expect(json).toEqual({ sendId, status: 'sent', messageId: 'message-1', reused: false });
    expect(Object.keys(headers).join(' ')).not.toMatch(/Idempotency|RateLimit|Retry-After/);
  });

  it('says that it replays, in header and body, and echoes the key', async () => {
    const { post } = await openEndpoint();
    const first = await post({ headers: key });

    const { json, headers } = await post({ body: buildSendBody({ idempotencyKey: 'key-1' }) });

    expect(json).toEqual({ ...first.json, reused: true });
    expect(headers).toMatchObject({ 'Idempotency-Replayed': 'true', 'Idempotency-Key': 'key-1' });
  });

  it('answers 200 for a suppressed recipient, without a message id', async () => {
    const contacts = [{ bounce: { at: 1 } }];
    const { post, world } = await openEndpoint({ contacts });

    const { statusCode, json } = await post();

    expect(statusCode).toBe(200);
    expect(json).toEqual({
      sendId: world.stored().id,
      status: 'suppressed',
      suppressedRecipients: [{ email: 'ann@example.com', reason: 'bounce' }],
      reused: false,
    });
  });

  // Otherwise Lambda freezes the send halfway, and thaws it long after a retry has taken over.
  it('answers once the send has ended, however close Lambda’s timeout is', async () => {
    const { post, world } = await openEndpoint();
    world.ses = async () => {
      await setTimeout(50);
      return { kind: 'accepted', providerMessageId: 'message-1' };
    };

    const { statusCode } = await post({ remainingMs: 10 });

    expect([statusCode, world.stored().status]).toEqual([200, 'sent']);
  });

  it.each([
    [400, 'validation_failed', { body: { to: 'nobody' } }],
    [400, 'unknown_policy', { body: buildSendBody({ policyKey: 'nope' }) }],
    [401, 'invalid_api_key', { headers: { authorization: undefined } }],
    [402, 'plan_required', { body: buildSendBody({ attachments: [buildAttachmentField()] }) }],
  ])('refuses with %i %s', async (status, code, call) => {
    const { post } = await openEndpoint();

    const response = await post(call);

    expect(response.statusCode).toBe(status);
    expect(problemIn(response)).toMatchObject({ status, code });
  });

  it.each<[number, string, ProviderOutcome]>([
    [429, 'provider_throttled', { kind: 'throttled' }],
    [500, 'provider_rejected', { kind: 'refused', reason: 'MessageRejected' }],
    [500, 'provider_unreachable', { kind: 'unreachable', cause: new Error('refused') }],
    [500, 'provider_outcome_unknown', { kind: 'unknown', cause: new Error('reset') }],
  ])('answers %i %s by what SES says', async (status, code, outcome) => {
    const { post, world } = await openEndpoint();
    world.ses = () => outcome;

    const response = await post();

    expect(response.statusCode).toBe(status);
    expect(problemIn(response)).toMatchObject({ status, code });
  });

  it('answers 409 to a duplicate of a request under way, and when to come back', async () => {
    const { post, world } = await openEndpoint();
    let duplicate: Awaited<ReturnType<typeof post>> | undefined;
    world.ses = async () => {
      duplicate = await post({ headers: key });
      return { kind: 'accepted', providerMessageId: 'message-1' };
    };

    await post({ headers: key });

    expect(duplicate).toMatchObject({ statusCode: 409, headers: { 'Retry-After': '1' } });
  });

  it('takes the key from x-api-key as well', async () => {
    const { post, world } = await openEndpoint();

    const headers = { authorization: undefined, 'x-api-key': world.credential };

    expect((await post({ headers })).statusCode).toBe(200);
  });

  it('echoes the key on a refusal, but none that is malformed', async () => {
    const { post } = await openEndpoint();
    await post({ headers: key });

    const reused = await post({ headers: key, body: buildSendBody({ subject: 'Another' }) });
    const malformed = await post({ headers: { 'idempotency-key': 'schlüssel' } });

    expect(reused).toMatchObject({ statusCode: 422, headers: { 'Idempotency-Key': 'key-1' } });
    expect(problemIn(malformed).errors).toMatchObject([{ path: 'Idempotency-Key' }]);
    expect(malformed.headers).not.toHaveProperty('Idempotency-Key');
  });
});

describe('the rate limit of a key', () => {
  const reset = `${Math.floor(startOfWorld / 60_000) * 60 + 60}`;
  const limitOf = (remaining: number) => ({
    'X-RateLimit-Limit': '2',
    'X-RateLimit-Remaining': `${remaining}`,
    'X-RateLimit-Reset': reset,
  });

  it('is in the headers of every answer once the key is known', async () => {
    const { post, world } = await openEndpoint({ key: { perMinuteCap: 2 } });

    const sent = await post();
    const invalid = await post({ body: {} });
    const refused = await post();

    expect(sent).toMatchObject({ statusCode: 200, headers: limitOf(1) });
    expect(invalid).toMatchObject({ statusCode: 400, headers: limitOf(0) });
    expect(refused).toMatchObject({ statusCode: 429, headers: limitOf(0) });
    expect(Number(refused.headers['Retry-After'])).toBe(60 - ((world.now / 1000) % 60));
  });

  it('is in the headers of a body that is no JSON, and of a refusal by SES', async () => {
    const { post, world } = await openEndpoint({ key: { perMinuteCap: 2 } });
    world.ses = () => ({ kind: 'refused', reason: 'MessageRejected' });

    const malformed = await post({ headers: { 'content-type': 'text/plain' } });
    const refused = await post();

    expect(malformed).toMatchObject({ statusCode: 400, headers: limitOf(1) });
    expect(refused).toMatchObject({ statusCode: 500, headers: limitOf(0) });
  });

  it('asks to wait a whole second in the last millisecond of the minute', async () => {
    const { post, world } = await openEndpoint({ key: { perMinuteCap: 1 } });
    world.now = Math.ceil(startOfWorld / 60_000) * 60_000 + 59_999;
    await post();

    expect((await post()).headers['Retry-After']).toBe('1');
  });

  it('is not in the headers when the key is revoked', async () => {
    const { post } = await openEndpoint({ key: { perMinuteCap: 2, revokedAt: 1 } });

    const { statusCode, headers } = await post();

    expect(statusCode).toBe(401);
    expect(headers).not.toHaveProperty('X-RateLimit-Limit');
  });
});

describe('a request that API Gateway has checked by IAM', () => {
  const iam = { authorizer: { iam: { accountId: '123456789012' } } };
  const askFor = (apiKeyId: string, context: object = iam): Call => ({
    headers: { authorization: 'AWS4-HMAC-SHA256 Credential=…' },
    event: {
      pathParameters: { apiKeyId },
      requestContext: { ...buildHttpEvent().requestContext, ...context },
    },
  });

  it.each([
    { by: 'the key', settings: {} },
    { by: 'the test key', settings: { test: true as const } },
  ])('sends by $by of its path, and shows no secret', async ({ settings }) => {
    const { post, world } = await openEndpoint({ key: { ...settings, scopes: ['send_email'] } });

    expect((await post(askFor(world.apiKeyId))).statusCode).toBe(200);
  });

  it.each([
    { why: 'the key is revoked', key: { revokedAt: 1 }, context: iam, code: 'invalid_api_key' },
    { why: 'the key has expired', key: { validUntil: 1 }, context: iam, code: 'invalid_api_key' },
    {
      why: 'the key may not send',
      key: { scopes: ['read_sends' as const] },
      context: iam,
      code: 'missing_scope',
    },
    { why: 'no authorizer has checked it', key: {}, context: {}, code: 'invalid_api_key' },
    {
      why: 'another authorizer has',
      key: {},
      context: { authorizer: { jwt: {} } },
      code: 'invalid_api_key',
    },
  ])('is refused when $why', async ({ key: settings, context, code }) => {
    const { post, world } = await openEndpoint({ key: settings });

    const response = await post(askFor(world.apiKeyId, context));

    expect(problemIn(response).code).toBe(code);
    expect(world.mailbox).toEqual([]);
  });

  it('is refused when its path names no key', async () => {
    const { post } = await openEndpoint();

    expect(problemIn(await post(askFor('org_1'))).code).toBe('invalid_api_key');
  });
});

describe('a request to send', () => {
  const named = { 'idempotency-key': 'order 4711' };
  const words = /@example\.com|Your receipt|Thank you|order 4711/;

  it('logs its outcome with the organization and the feedback id, but not the send id', async () => {
    const { post, world, logged } = await openEndpoint();

    await post({ headers: named });
    await post({ headers: named });

    // The send id alone may read the send.
    const { id } = world.stored();
    expect(logged()).toMatch(new RegExp(`"feedbackId":"${feedbackIdOf(id)}".*"SendSettled":1`));
    expect(logged()).toMatch(new RegExp(`"feedbackId":"${feedbackIdOf(id)}".*"SendReplayed":1`));
    expect(logged()).toContain(`"organizationId":"${world.organization.id}"`);
    expect(logged()).not.toContain(id);
  });

  it.each<[string, Call, boolean]>([
    ['succeeds', {}, false],
    ['is invalid', { body: buildSendBody({ cc: 'eve@example.com\r\n' }) }, false],
    ['crashes', {}, true],
  ])('logs no address, word or key when it %s', async (_what, call, isCrash) => {
    const { post, world, logged } = await openEndpoint();
    if (isCrash) {
      world.disturb = async () => {
        throw new TypeError('no room for ann@example.com');
      };
    }

    await post({ ...call, headers: named });

    expect(logged()).toContain('request-1');
    expect(logged()).not.toMatch(words);
    expect(logged()).not.toContain(world.credential.slice(-32));
  });

  it.each([
    { key: {}, status: 'sent' },
    { key: { test: true as const }, status: 'simulated' },
  ])('counts its email as $status', async ({ key: settings, status }) => {
    const { post, logged } = await openEndpoint({ key: settings });

    await post();

    expect(logged()).toContain(`"status":"${status}"`);
  });

  it('notes the use of its key once an hour', async () => {
    const { post, world } = await openEndpoint({ key: { lastUsedAt: startOfWorld - 3_600_000 } });

    await post();
    await post();

    expect(world.calls.filter((call) => call === 'UpdateItem KEY')).toHaveLength(1);
  });

  it('is noted for its organization when it is refused', async () => {
    const { post, world } = await openEndpoint();

    await post({ body: {} });

    // A refusal's sort key begins with its minute.
    expect(world.calls.filter((call) => call.startsWith('UpdateItem'))).toEqual([
      expect.stringMatching(/^UpdateItem \d{15}$/),
    ]);
  });

  it('leaks nothing when it crashes', async () => {
    const { post, world, logged } = await openEndpoint();
    world.disturb = async () => {
      throw new TypeError('ORG#org_1 ann@example.com');
    };

    const { statusCode, body, json } = await post();

    expect([statusCode, json['code']]).toEqual([500, 'internal_error']);
    expect(body).not.toMatch(/ORG#|ann@example\.com|TypeError/);
    expect(logged()).not.toContain('ann@example.com');
  });
});
