import type { ErrorCode } from '#shared/errors/errors';
import { errorFacts, statusOf } from '#shared/errors/errors';
import { noBody } from '#shared/http/response-body';
import type { Answer } from '#shared/openapi/endpoint-reference';
import { type HeaderName, headersOf } from './components.ts';
import { alternativesOf, describeSchema } from './describe-schema.ts';
import type { Content, MediaType, Response } from './document.ts';
import type { Endpoint } from './endpoints.ts';
import { errorCodesOf } from './error-codes.ts';

/** Every answer of an endpoint, by status: its successes, its errors, and those of the front door. */
export function describeAnswers(endpoint: Endpoint): Readonly<Record<string, Response>> {
  const { reference, schemas } = endpoint;
  const codes = Map.groupBy(errorCodesOf(endpoint), statusOf);
  const frontDoor = frontDoorStatuses(schemas.requestSchema !== undefined);
  const errorStatuses = [...new Set([...codes.keys(), ...Object.keys(frontDoor).map(Number)])];
  return {
    ...Object.fromEntries(
      Object.entries(reference.answers).map(([status, answer]) => [
        status,
        describeSuccess(Number(status), answer, endpoint),
      ]),
    ),
    ...Object.fromEntries(
      errorStatuses
        .toSorted((one, other) => one - other)
        .map((status) => [
          status,
          describeErrors(codes.get(status) ?? [], frontDoor[status], endpoint),
        ]),
    ),
  };
}

function describeSuccess(status: number, answer: Answer, endpoint: Endpoint): Response {
  const { reference } = endpoint;
  const content = hasBody(status) ? contentOf(answer, endpoint) : {};
  return {
    description: answer.description,
    headers: headersOf(['X-Request-Id', ...(answer.headers ?? []), ...(reference.headers ?? [])]),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

const hasBody = (status: number): boolean => status < 204;

function contentOf(answer: Answer, { schemas, reference }: Endpoint): Content {
  const bodies = alternativesOf(schemas.responseSchema).filter((schema) => schema !== noBody);
  return Object.fromEntries(
    bodies.map((body) => {
      const schema = describeSchema(body, 'output', reference.fields ?? {});
      const { contentMediaType = 'application/json' } = schema;
      const mediaType = `${contentMediaType}`.replace(/;.*$/, '');
      const isJson = mediaType === 'application/json';
      const { example } = answer;
      return [mediaType, { schema, ...(isJson && example !== undefined && { example }) }];
    }),
  );
}

function describeErrors(
  codes: readonly ErrorCode[],
  frontDoor: string | undefined,
  { reference }: Endpoint,
): Response {
  const meanings = codes.map((code) => `- \`${code}\`: ${errorFacts(code).meaning}`);
  const fromDoor = frontDoor === undefined ? [] : [`- Without a code: ${frontDoor}`];
  return {
    description: [...meanings, ...fromDoor].join('\n'),
    ...(codes.length > 0 && { headers: errorHeaders(codes, reference.headers ?? []) }),
    content: {
      ...(codes.length > 0 && { 'application/problem+json': problemOf(codes) }),
      ...(frontDoor !== undefined && { 'application/json': frontDoorAnswer }),
      ...(codes.length > 0 && reference.isForPeople && { 'text/html': page }),
    },
  };
}

const errorHeaders = (codes: readonly ErrorCode[], own: readonly HeaderName[]) =>
  headersOf([
    'X-Request-Id',
    ...(codes.some((code) => errorFacts(code).retryAfter) ? (['Retry-After'] as const) : []),
    ...(codes.some((code) => statusOf(code) === 401) ? (['WWW-Authenticate'] as const) : []),
    ...own,
  ]);

const problemOf = (codes: readonly ErrorCode[]): MediaType => ({
  schema: { $ref: '#/components/schemas/Problem', properties: { code: { enum: codes } } },
  examples: Object.fromEntries(
    codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
  ),
});

const frontDoorAnswer: MediaType = {
  schema: { $ref: '#/components/schemas/FrontDoorMessage' },
};

const page: MediaType = { schema: { type: 'string' } };

/** What API Gateway answers by itself, and when. */
const frontDoorStatuses = (takesBody: boolean): Readonly<Record<number, string>> => ({
  ...(takesBody && { 413: 'The body is larger than 6 MB.' }),
  429: 'All callers together exceed the throttle of the route. Nothing was done.',
  500: 'The function died or ran out of time. Nobody knows what was done.',
  503: 'The function answered too late, or none was free. Nobody knows what was done.',
});
