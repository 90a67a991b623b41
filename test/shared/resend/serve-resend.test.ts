import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import type { ErrorCode } from '#shared/errors/errors';
import { type FieldError, ServiceError } from '#shared/errors/service-error';
import { faultsInResendNames, faultsOfEmail } from '#shared/resend/field-names';
import { resendStatusesOf } from '#shared/resend/resend-error';
import { serveResend } from '#shared/resend/serve-resend';
import { captureOutput } from '../../support/captured-output.ts';
import { buildHttpEvent } from '../../support/http-event-builder.ts';
import { lambdaContext } from '../../support/lambda-context.ts';

vi.stubEnv('TABLE_NAME', 'none');

const plain = defineEndpoint({
  route: 'GET /resend/domains',
  access: 'anybody',
  answers: { 200: { body: z.unknown(), description: 'Nothing.' } },
  lambda: { tableActions: [] },
  words: { section: 'Resend', summary: 'Refuse a request', description: 'As it is.' },
});
const endpoint = { ...plain, errorForm: 'resend' } as const;

async function answerTo(code: ErrorCode, errors?: readonly FieldError[]) {
  captureOutput();
  const handler = serveResend(
    defineEndpoint({ ...endpoint, uses: () => ({}) }, async () => {
      throw new ServiceError(code, 'Refused.', errors && { errors });
    }),
  );
  return JSON.parse((await handler(buildHttpEvent({}), lambdaContext())).body);
}

describe('an endpoint with Resend’s errors', () => {
  it.each<[code: ErrorCode, path: string, name: string, status: number]>([
    ['too_large', 'attachments.0.content', 'invalid_attachment', 422],
    ['too_large', '', 'validation_error', 422],
    ['too_many', 'attachments', 'invalid_attachment', 422],
    ['waiting_limit_reached', '', 'daily_quota_exceeded', 429],
    ['change_limit_reached', '', 'daily_quota_exceeded', 429],
    ['rate_limited', '', 'rate_limit_exceeded', 429],
    ['too_many_domains', '', 'validation_error', 409],
  ])('calls %s of `%s` %s, with %i', async (code, path, name, statusCode) => {
    const answer = await answerTo(code, [{ path, message: 'is refused' }]);

    expect(answer).toMatchObject({ name, statusCode });
  });

  it('may have any status that its reference lists', async () => {
    const code = 'validation_failed';
    const paths = ['', 'to', 'Idempotency-Key'];
    const faults = paths.map((path) => [{ path, message: 'is required' }]);

    const answers = await Promise.all(faults.map((errors) => answerTo(code, errors)));

    const statuses = new Set(answers.map(({ statusCode }) => statusCode));
    expect(new Set(resendStatusesOf(code))).toEqual(statuses);
  });

  it('names no field in the fault of a whole email', async () => {
    const { message } = await answerTo('too_large', [{ path: '', message: 'It never fits.' }]);

    expect(message).toBe('It never fits.');
  });
});

describe.each([
  ['of a request', faultsInResendNames],
  ['of an email', faultsOfEmail],
])('a fault %s', (_, faultsOf) => {
  const faultOf = (path: string, message: string) =>
    faultsOf(new ServiceError('validation_failed', '', { errors: [{ path, message }] }))[0];

  it('has Resend’s name of the field, and of others in its sentence', () => {
    const fault = faultOf('htmlContent', 'must not be given together with replyTo');

    expect(fault).toEqual({ path: 'html', message: 'must not be given together with reply_to' });
  });

  it.each(['constructor', 'toString', 'attachments.0.toString'])(
    'keeps the unknown name %s',
    (path) => {
      expect(faultOf(path, 'toString is unknown')).toEqual({
        path,
        message: 'toString is unknown',
      });
    },
  );
});
