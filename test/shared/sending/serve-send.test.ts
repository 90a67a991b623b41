import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { ApiKey } from '#shared/access/api-key';
import type { Unadmitted } from '#shared/endpoints/endpoint';
import { serveUnadmitted } from '#shared/endpoints/serve';
import type { SendEndpoint } from '#shared/sending/send';
import type { Sending } from '#shared/sending/sending';
import { sendAsAsked } from '#shared/sending/serve-send';
import { feedbackIdOf, sendIdSchema } from '#shared/tokens/resource-id';
import { endpoint as sendEmailEndpoint } from '../../../functions/send-email/send-email.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildAttachmentField } from '../../support/attachment-builder.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { buildContact } from '../../support/contact-builder.ts';
import { buildHttpEvent } from '../../support/http-event-builder.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { problemIn } from '../../support/problem.ts';
import { buildSendBody } from '../../support/send-body-builder.ts';
import { buildSend } from '../../support/send-builder.ts';
import {
  fakeSending,
  type SendingOverrides,
  type SendingWorld,
  sendingNow,
} from '../../support/sending-builder.ts';
import { sendingVariables } from '../../support/sending-variables.ts';

for (const [name, value] of Object.entries({ ...sendingVariables, TABLE_NAME: 'none' })) {
  vi.stubEnv(name, value);
}

type Call = {
  readonly endpoint?: SendEndpoint;
  readonly key?: Parameters<typeof buildApiKey>[0];
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly contacts?: SendingWorld['contacts'];
  readonly overrides?: SendingOverrides;
  readonly remainingMs?: number;
  /** How the event describes the stored key. */
  readonly event?: (apiKey: ApiKey) => Parameters<typeof buildHttpEvent>[0];
};

/** Posts to the endpoint with a valid key, unless the call's headers say otherwise. */
async function post(call: Call = {}) {
  const output = captureOutput();
  const { text, apiKey } = buildApiKey(call.key);
  const { sending, effects } = fakeSending(
    { apiKey, ...(call.contacts && { contacts: call.contacts }) },
    call.overrides,
  );
  const event = buildHttpEvent({
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${text}`,
      ...call.headers,
    },
    body: JSON.stringify(call.body ?? buildSendBody()),
    ...call.event?.(apiKey),
  });
  const { remainingMs = 30_000 } = call;
  const endpoint = {
    ...sendEmailEndpoint,
    uses: () => sending,
    run: (request: Unadmitted, opened: Sending) =>
      sendAsAsked(call.endpoint ?? 'send', request, opened),
  };
  const { table, items } = openMemoryTable();
  const response = await serveUnadmitted(endpoint, table)(event, {
    ...lambdaContext(),
    getRemainingTimeInMillis: () => remainingMs,
  });
  return { response, effects, apiKey: text, logged: output.text(), noted: items() };
}

describe('a refused send', () => {
  it.each([
    ['its key may not send', { scopes: ['read_sends' as const] }, 'missing_scope'],
    ['its key is revoked', { revokedAt: 1 }, 'invalid_api_key'],
  ])('is noted for the organization of the key it shows: %s', async (_why, key, code) => {
    const { noted } = await post({ key });

    expect(noted).toMatchObject([{ apiKeyId: expect.any(String), code, count: 1 }]);
  });

  it("isn't noted for a key whose secret it doesn't know", async () => {
    const { noted } = await post({ headers: { authorization: `Bearer ${buildApiKey().text}` } });

    expect(noted).toEqual([]);
  });
});

describe('a request that API Gateway has authenticated by IAM', () => {
  const signed = { authorization: 'AWS4-HMAC-SHA256 Credential=…' };
  const iam = { authorizer: { iam: { accountId: '123456789012' } } };
  const ask = (requestContext: object, apiKeyId?: string) => (apiKey: { readonly id: string }) => ({
    pathParameters: { apiKeyId: apiKeyId ?? apiKey.id },
    requestContext: { ...buildHttpEvent().requestContext, ...requestContext },
  });

  it.each([
    { by: 'the key of its path', key: {} },
    { by: 'a test key', key: { test: true as const } },
  ])('sends by $by, and shows no secret', async ({ key }) => {
    const { response } = await post({
      key: { ...key, scopes: ['send_email'] },
      headers: signed,
      event: ask(iam),
    });

    expect(response.statusCode).toBe(200);
  });

  it.each([
    { why: 'the key is revoked', key: { revokedAt: 1 }, event: ask(iam), code: 'invalid_api_key' },
    {
      why: 'the key has expired',
      key: { validUntil: 1 },
      event: ask(iam),
      code: 'invalid_api_key',
    },
    {
      why: 'the key may not send',
      key: { scopes: ['read_sends' as const] },
      event: ask(iam),
      code: 'missing_scope',
    },
    { why: 'its path names no key', key: {}, event: ask(iam, 'org_1'), code: 'invalid_api_key' },
    { why: 'no authorizer has checked it', key: {}, event: ask({}), code: 'invalid_api_key' },
    {
      why: 'another authorizer has',
      key: {},
      event: ask({ authorizer: { jwt: {}, lambda: {} } }),
      code: 'invalid_api_key',
    },
  ])('is refused when $why', async ({ key, event, code }) => {
    const { response, effects } = await post({ key, headers: signed, event });

    expect(problemIn(response).code).toBe(code);
    expect(effects.map(({ name }) => name)).not.toContain('claims.claim');
  });
});

const anyJson = z.record(z.string(), z.unknown());
const bodyOf = (response: { readonly body: string }) => anyJson.parse(JSON.parse(response.body));

const first = buildSend();
const replaying: SendingOverrides = {
  claims: {
    claim: async () => ({
      kind: 'replay',
      response: { sendId: first.id, status: 'sent', messageId: 'message-0' },
    }),
  },
};

describe('a successful send', () => {
  it('answers 200 with the documented fields', async () => {
    const { response } = await post();

    expect(response.statusCode).toBe(200);
    expect(bodyOf(response)).toEqual({
      sendId: expect.stringMatching(/^snd_/),
      status: 'sent',
      messageId: 'message-1',
      reused: false,
    });
    expect(response.headers['X-Request-Id']).toBe('request-1');
  });

  it('accepts the key in x-api-key as well', async () => {
    const { text, apiKey } = buildApiKey();

    const { response } = await post({
      headers: { authorization: undefined, 'x-api-key': text },
      overrides: fakeSending({ apiKey }).sending,
    });

    expect(response.statusCode).toBe(200);
  });

  it('has neither key nor rate-limit headers without a key or a cap', async () => {
    const { response } = await post();

    const names = Object.keys(response.headers).join(' ');
    expect(names).not.toMatch(/Idempotency|RateLimit|Retry-After/);
  });

  it('answers 200 and no message id for a suppressed recipient', async () => {
    const contacts = [buildContact({ bounce: { at: 1 } })];

    const { response } = await post({ contacts });

    expect(response.statusCode).toBe(200);
    expect(bodyOf(response)).toEqual({
      sendId: expect.stringMatching(/^snd_/),
      status: 'suppressed',
      suppressedRecipients: [{ email: 'ann@example.com', reason: 'bounce' }],
      reused: false,
    });
  });
});

describe('an answer', () => {
  it("isn't given before the send has ended, however close Lambda's timeout is", async () => {
    // Otherwise Lambda freezes the send halfway, and thaws it long after a retry has taken over.
    const { response, effects } = await post({
      remainingMs: 10,
      overrides: {
        callProvider: async () => {
          await setTimeout(50);
          return { kind: 'accepted', providerMessageId: 'message-1' };
        },
      },
    });

    expect(response.statusCode).toBe(200);
    expect(effects.map(({ name }) => name)).toContain('settlements.commitAcceptance');
  });
});

describe('a replay', () => {
  it('is marked in header and body', async () => {
    const { response } = await post({
      headers: { 'idempotency-key': 'key-1' },
      overrides: replaying,
    });

    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'Idempotency-Replayed': 'true',
      'Idempotency-Key': 'key-1',
    });
    expect(bodyOf(response)).toEqual({
      sendId: first.id,
      status: 'sent',
      messageId: 'message-0',
      reused: true,
    });
  });
});

describe('the Idempotency-Key header', () => {
  it.each<[string, Call]>([
    ['the header', { headers: { 'idempotency-key': 'key-1' } }],
    ['the body', { body: buildSendBody({ idempotencyKey: 'key-1' }) }],
    [
      'header and body',
      { headers: { 'idempotency-key': 'key-1' }, body: buildSendBody({ idempotencyKey: 'key-1' }) },
    ],
  ])('is echoed from %s', async (_where, call) => {
    const { response, effects } = await post(call);

    expect(response.headers['Idempotency-Key']).toBe('key-1');
    expect(effects).toContainEqual({
      name: 'claims.claim',
      args: [expect.objectContaining({ idempotencyKey: 'key-1' })],
    });
  });

  it('is echoed on a refusal too', async () => {
    const { response } = await post({
      headers: { 'idempotency-key': 'key-1' },
      overrides: { claims: { claim: async () => ({ kind: 'key_reused' }) } },
    });

    expect(response.statusCode).toBe(422);
    expect(response.headers['Idempotency-Key']).toBe('key-1');
  });

  it('that is malformed is a validation error that names the header', async () => {
    const { response } = await post({ headers: { 'idempotency-key': 'schlüssel' } });

    expect(response.statusCode).toBe(400);
    expect(problemIn(response).errors).toMatchObject([{ path: 'Idempotency-Key' }]);
    expect(response.headers).not.toHaveProperty('Idempotency-Key');
  });
});

describe("a key's rate limit", () => {
  const reset = `${Math.floor(sendingNow / 60_000) * 60 + 60}`;

  it('is in the headers of a success', async () => {
    const { response } = await post({ key: { perMinuteCap: 60 } });

    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '59',
      'X-RateLimit-Reset': reset,
    });
  });

  it('is in the headers of a 429, with the seconds to wait', async () => {
    const { response } = await post({
      key: { perMinuteCap: 60 },
      overrides: { rateWindows: { count: async () => ({ count: 61, fits: false }) } },
    });

    expect(response.statusCode).toBe(429);
    expect(problemIn(response).code).toBe('rate_limited');
    expect(response.headers).toMatchObject({
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': reset,
      'Retry-After': expect.stringMatching(/^[1-9]\d*$/),
    });
  });

  it.each<[string, Call]>([
    ['a field is at fault', { body: { to: 'nobody' } }],
    ['the body is no JSON', { headers: { 'content-type': 'text/plain' } }],
    ['the policy is unknown', { body: buildSendBody({ policyKey: 'nope' }) }],
  ])('is in the headers of the refusal when %s', async (_what, call) => {
    const { response } = await post({ ...call, key: { perMinuteCap: 60 } });

    expect(response.statusCode).toBe(400);
    expect(response.headers).toMatchObject({
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '59',
      'X-RateLimit-Reset': reset,
    });
  });

  it('is in the headers of a later failure', async () => {
    const { response } = await post({
      key: { perMinuteCap: 60 },
      overrides: { callProvider: async () => ({ kind: 'rejected', reason: 'MessageRejected' }) },
    });

    expect(response.statusCode).toBe(500);
    expect(response.headers['X-RateLimit-Remaining']).toBe('59');
  });

  it('asks to wait a whole second in the last millisecond of the minute', async () => {
    const { response } = await post({
      key: { perMinuteCap: 1 },
      overrides: {
        rateWindows: { count: async () => ({ count: 2, fits: false }) },
        now: () => Math.ceil(sendingNow / 60_000) * 60_000 + 59_999,
      },
    });

    expect(response.headers['Retry-After']).toBe('1');
  });
});

describe('a refusal', () => {
  it.each<[number, string, Call]>([
    [400, 'validation_failed', { body: { to: 'nobody' } }],
    [400, 'unknown_policy', { body: buildSendBody({ policyKey: 'nope' }) }],
    [401, 'invalid_api_key', { headers: { authorization: 'Bearer nonsense' } }],
    [401, 'invalid_api_key', { headers: { authorization: undefined } }],
    [402, 'plan_required', { body: buildSendBody({ attachments: [buildAttachmentField()] }) }],
    [403, 'missing_scope', { key: { scopes: ['read_sends'] } }],
    [
      422,
      'idempotency_key_reused',
      { overrides: { claims: { claim: async () => ({ kind: 'key_reused' }) } } },
    ],
    [
      429,
      'provider_throttled',
      { overrides: { callProvider: async () => ({ kind: 'throttled' }) } },
    ],
    [
      500,
      'provider_unreachable',
      {
        overrides: {
          callProvider: async () => ({ kind: 'unreachable', cause: new Error('refused') }),
        },
      },
    ],
    [
      500,
      'provider_outcome_unknown',
      { overrides: { callProvider: async () => ({ kind: 'unknown', cause: new Error('reset') }) } },
    ],
  ])('answers %i %s', async (status, code, call) => {
    const { response } = await post(call);

    expect(response.statusCode).toBe(status);
    expect(response.headers['Content-Type']).toBe('application/problem+json');
    expect(problemIn(response)).toMatchObject({ status, code });
  });

  it('for a conflict says when to retry in whole seconds, and never 0', async () => {
    const { response } = await post({
      headers: { 'idempotency-key': 'key-1' },
      overrides: { claims: { claim: async () => ({ kind: 'in_progress', retryAt: sendingNow }) } },
    });

    expect(response.statusCode).toBe(409);
    expect(response.headers['Retry-After']).toBe('1');
  });
});

describe('the log of a send', () => {
  it.each<[string, Call]>([
    ['succeeds', {}],
    ['is replayed', { overrides: replaying }],
    ['is not valid', { body: buildSendBody({ cc: 'eve@example.com\r\n' }) }],
    [
      'crashes',
      {
        overrides: {
          claims: {
            claim: async () => {
              throw new Error('no room for ann@example.com');
            },
          },
        },
      },
    ],
  ])('that %s contains no address, subject, content or key', async (_what, call) => {
    const { logged, apiKey } = await post({
      ...call,
      headers: { 'idempotency-key': 'order 4711' },
    });

    expect(logged).toContain('request-1');
    expect(logged).not.toMatch(/@example\.com|Your receipt|Thank you|order 4711/);
    expect(logged).not.toContain(apiKey.slice(-32));
  });

  it.each<[string, Call]>([
    ['succeeds', {}],
    ['is replayed', { overrides: replaying }],
  ])(
    'that %s names the send by its feedback id, as the send id alone may read it',
    async (_, call) => {
      const { logged, response } = await post(call);

      const sendId = sendIdSchema.parse(bodyOf(response)['sendId']);
      expect(logged).toContain(`"feedbackId":"${feedbackIdOf(sendId)}"`);
      expect(logged).not.toContain(sendId);
    },
  );

  it('names the organization', async () => {
    const { logged } = await post();

    expect(logged).toMatch(/"organizationId":"org_/);
  });

  it('counts the outcome', async () => {
    const [settled, replayed] = [await post(), await post({ overrides: replaying })];

    expect(settled.logged).toContain('"SendSettled":1');
    expect(replayed.logged).toContain('"SendReplayed":1');
  });

  it('counts a test email apart from those that SES takes', async () => {
    const [real, test] = [await post(), await post({ key: { test: true } })];

    expect(real.logged).toContain('"status":"sent"');
    expect(test.logged).toContain('"status":"simulated"');
  });
});

describe('the answer to a crash', () => {
  it('leaks nothing', async () => {
    const { response } = await post({
      overrides: {
        claims: {
          claim: async () => {
            throw new TypeError('ORG#org_1 ann@example.com');
          },
        },
      },
    });

    expect(response.statusCode).toBe(500);
    expect(problemIn(response).code).toBe('internal_error');
    expect(JSON.stringify(response)).not.toMatch(/ORG#|ann@example\.com|TypeError/);
  });
});
