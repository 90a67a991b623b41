import type { AnswerHeader, ErrorForm } from '#shared/endpoints/endpoint';
import { type ErrorCode, errorCodes, errorFacts } from '#shared/errors/errors';
import { ServiceError } from '#shared/errors/service-error';
import { renderProblem } from '#shared/http/http-endpoint';
import { postmarkStatusesOf } from '#shared/postmark/postmark-error';
import { resendErrorStatuses, resendStatusesOf } from '#shared/resend/resend-error';
import type { OpenApiDocument, Reference, Schema } from './openapi-types.ts';

export type HeaderName = AnswerHeader | 'Retry-After' | 'WWW-Authenticate' | 'X-Request-Id';

const text: Schema = { type: 'string' };
const wholeNumber: Schema = { type: 'string', pattern: '^\\d+$' };

const headers: Readonly<Record<HeaderName, { description: string; schema: Schema }>> = {
  'Content-Disposition': { description: 'The name of the file.', schema: text },
  ETag: { description: 'The version of the content.', schema: text },
  'Idempotency-Key': { description: 'The idempotency key of the request.', schema: text },
  'Idempotency-Replayed': {
    description: 'The answer is an earlier one.',
    schema: { type: 'string', const: 'true' },
  },
  Link: { description: 'Where the rest is, with `rel="next"`, if there is more.', schema: text },
  Location: { description: 'Where to go.', schema: text },
  'Set-Cookie': { description: 'The session of the console.', schema: text },
  'Retry-After': { description: 'When a later try may succeed, in seconds.', schema: wholeNumber },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: text },
  'RateLimit-Limit': {
    description: 'How many requests a minute the key may make, if it has a cap.',
    schema: wholeNumber,
  },
  'RateLimit-Remaining': {
    description: 'How many are left in this minute.',
    schema: wholeNumber,
  },
  'RateLimit-Reset': {
    description: 'In how many seconds the next minute begins.',
    schema: wholeNumber,
  },
  'X-RateLimit-Limit': {
    description: 'How many recipients a minute the key may send to, if it has a cap.',
    schema: wholeNumber,
  },
  'X-RateLimit-Remaining': {
    description: 'How many are left in this minute.',
    schema: wholeNumber,
  },
  'X-RateLimit-Reset': {
    description: 'When the next minute begins, in seconds since 1970.',
    schema: wholeNumber,
  },
  'X-Request-Id': {
    description: 'The ID of the request, also on each of its log lines.',
    schema: text,
  },
};

export const headerNames: readonly string[] = Object.keys(headers);

const problem: Schema = {
  type: 'object',
  description: 'An RFC 9457 problem.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
  properties: {
    type: { type: 'string', description: 'A URN that ends with the code.' },
    title: { type: 'string', description: 'What the code means.' },
    status: { type: 'integer', description: 'The status of the answer.' },
    detail: { type: 'string', description: 'What happened, for people.' },
    instance: { type: 'string', description: 'A URN that ends with the request’s ID.' },
    code: { type: 'string', enum: errorCodes, description: 'For programs. It does not change.' },
    requestId: { type: 'string', description: 'The ID of the request.' },
    errors: {
      type: 'array',
      description: 'The invalid fields, if any.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: {
            type: 'string',
            description: 'The field. An entry of a list has its number: `cc.3`.',
          },
          message: { type: 'string', description: 'What is wrong with it.' },
        },
      },
    },
  },
};

const frontDoorMessage: Schema = {
  type: 'object',
  description: 'API Gateway’s own answer, when no function could answer.',
  required: ['message'],
  properties: { message: { type: 'string', description: 'What happened, for people.' } },
};

const resendError: Schema = {
  type: 'object',
  description: 'An error as Resend’s API has them.',
  required: ['statusCode', 'name', 'message'],
  properties: {
    statusCode: { type: 'integer', description: 'The status of the answer.' },
    name: {
      type: 'string',
      enum: Object.keys(resendErrorStatuses),
      description: 'For programs: Resend’s name of the error.',
    },
    message: { type: 'string', description: 'What happened, and what to do.' },
  },
};

const postmarkError: Schema = {
  type: 'object',
  description: 'An error as Postmark’s API has them.',
  required: ['ErrorCode', 'Message'],
  properties: {
    ErrorCode: { type: 'integer', description: 'For programs: Postmark’s number of the error.' },
    Message: { type: 'string', description: 'What happened, and what to do.' },
  },
};

export const foreignErrors = {
  resend: { schema: 'ResendError', statusesOf: resendStatusesOf },
  postmark: { schema: 'PostmarkError', statusesOf: postmarkStatusesOf },
} as const satisfies Record<ErrorForm, object>;

const exampleOf = (code: ErrorCode) => {
  const { body } = renderProblem(new ServiceError(code, errorFacts(code).meaning), {
    requestId: 'ejbmI7m5WLqMFvg=',
  });
  return [code, { summary: errorFacts(code).meaning, value: JSON.parse(body) }] as const;
};

export function componentsOf(paths: OpenApiDocument['paths']): OpenApiDocument['components'] {
  const text = JSON.stringify(paths);
  const isUsed = (kind: string) => (entry: readonly [name: string, part: unknown]) =>
    text.includes(`"#/components/${kind}/${entry[0]}"`);
  return {
    schemas: {
      Problem: problem,
      ResendError: resendError,
      PostmarkError: postmarkError,
      FrontDoorMessage: frontDoorMessage,
    },
    headers: Object.fromEntries(Object.entries(headers).filter(isUsed('headers'))),
    examples: Object.fromEntries(errorCodes.map(exampleOf).filter(isUsed('examples'))),
    securitySchemes,
  };
}

const securitySchemes: OpenApiDocument['components']['securitySchemes'] = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: '`Authorization: Bearer <API_KEY>`. Each endpoint lists the scope it needs.',
  },
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The same API key, for callers that cannot set `Authorization`.',
  },
  postmarkToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Postmark-Server-Token',
    description: 'The same API key, where Postmark’s clients put theirs.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session',
    description: 'A session of the console. Endpoints that take an API key take it too.',
  },
  cronSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Cron-Secret',
    description: 'The cron secret of the deployment.',
  },
  operatorSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Operator-Secret',
    description: 'The operator secret of the deployment.',
  },
};

export const headersOf = (names: readonly HeaderName[]): Readonly<Record<string, Reference>> =>
  Object.fromEntries(
    [...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
