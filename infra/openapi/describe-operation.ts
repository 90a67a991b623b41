import { keyShownMs } from '#shared/access/sign-in';
import { type Answer, type Endpoint, scopesOf, type Words } from '#shared/endpoints/endpoint';
import { type ErrorCode, errorFacts, statusOf } from '#shared/errors/errors';
import { foreignErrors, type HeaderName, headersOf } from './components.ts';
import { alternativesOf, describeSchema } from './describe-schema.ts';
import type { RoutedEndpoint } from './endpoints.ts';
import { errorCodesOf } from './error-codes.ts';
import type {
  Content,
  MediaType,
  Operation,
  Parameter,
  Response,
  Schema,
} from './openapi-types.ts';

export function describeOperation(endpoint: RoutedEndpoint): Operation {
  const { section, summary } = endpoint.words;
  const description = [endpoint.words.description, ...freshSessionWords(endpoint)].join('\n\n');
  const parameters = describeParameters(endpoint);
  return {
    operationId: operationIdOf(endpoint.at),
    tags: [section],
    summary,
    description: endpoint.isBeta
      ? `${description}\n\nThis endpoint is in beta: it may change.`
      : description,
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && { requestBody: describeBody(endpoint, endpoint.body) }),
    responses: describeAnswers(endpoint),
  };
}

function freshSessionWords({ access }: Endpoint): readonly string[] {
  const { freshSession } = typeof access === 'object' ? access : {};
  if (freshSession === undefined) return [];
  const what =
    freshSession === true
      ? 'does this'
      : `sets ${freshSession.map((name) => `\`${name}\``).join(', ')}`;
  return [
    `A session of the console ${what} only within ${keyShownMs / 60_000} minutes of showing its key (\`POST /console/session/confirm\`), as it outlasts the session.`,
  ];
}

/**
 * `send-email` becomes `sendEmail`. A function with two methods, or with a path and everything below it, has two ids.
 */
function operationIdOf({ method, path, functionName }: RoutedEndpoint['at']): string {
  const own = path.endsWith('+}') ? `${functionName}-below` : functionName;
  const name = method === 'HEAD' ? `head-${own}` : own;
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function securityOf({ access, errorForm }: Endpoint): Operation['security'] {
  switch (access) {
    case 'anybody':
      return [];
    case 'session':
      return [{ session: [] }];
    case 'cron_secret':
      return [{ cronSecret: [] }];
    case 'operator':
      return [{ operatorSecret: [] }, { session: [] }];
    default: {
      const scopes = scopesOf(access);
      const needed = scopes.length === 0 ? [[]] : scopes.map((scope) => [scope]);
      const withKey = needed.flatMap((one) => [
        ...(errorForm === 'postmark' ? [{ postmarkToken: one }] : []),
        { apiKey: one },
        { apiKeyHeader: one },
      ]);
      return access.key === 'optional' ? [...withKey, {}] : withKey;
    }
  }
}

function describeParameters({ at, words, ...endpoint }: RoutedEndpoint): readonly Parameter[] {
  const { example = {} } = words;
  return [
    // A function with two paths has its parameters in only one of them.
    ...parametersOf('path', endpoint.path, example.path, words).filter(({ name }) =>
      new RegExp(`\\{${name}\\+?\\}`).test(at.path),
    ),
    ...parametersOf('query', endpoint.query, example.query, words),
    ...parametersOf('header', endpoint.headers, example.headers, words),
  ];
}

function parametersOf(
  place: Parameter['in'],
  schema: Endpoint['query'],
  examples: Readonly<Record<string, string>> | undefined,
  { fields = {} }: Words,
): readonly Parameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = describeSchema(schema, 'input', fields);
  return Object.entries(properties).map(([name, { description = '', ...property }]) => ({
    name: place === 'header' ? canonicalHeader(name) : name,
    in: place,
    description,
    required: place === 'path' || required.includes(name),
    schema: withoutPattern(place, property),
    ...exampleOf(examples?.[name], property),
  }));
}

const exampleOf = (text: string | undefined, { type }: Schema) =>
  text === undefined ? {} : { example: type === 'integer' ? Number(text) : text };

/** A path parameter that doesn't match leads nowhere: 404, not a malformed request. */
const withoutPattern = (place: Parameter['in'], schema: Schema): Schema => {
  if (place !== 'path') return schema;
  const { pattern: _, ...rest } = schema;
  return rest;
};

const canonicalHeader = (name: string): string =>
  name.replaceAll(/(^|-)(\w)/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());

function describeBody(
  { accepts = ['application/json'], isBodyOptional, words }: RoutedEndpoint,
  body: NonNullable<Endpoint['body']>,
) {
  const { fields = {}, example } = words;
  const schema = describeSchema(body, 'input', fields);
  const content: Content = Object.fromEntries(
    accepts.map((mediaType) => [
      mediaType,
      mediaType === 'application/octet-stream'
        ? { schema: { type: 'string', format: 'binary' } }
        : { schema, ...(example?.body !== undefined && { example: example.body }) },
    ]),
  );
  return { required: isBodyOptional !== true, content };
}

/** By status: successes, errors, and the front door's. */
function describeAnswers(endpoint: Endpoint): Readonly<Record<string, Response>> {
  const codes = codesByStatus(endpoint);
  const frontDoor = frontDoorStatuses(endpoint.body !== undefined);
  const errorStatuses = [...new Set([...codes.keys(), ...Object.keys(frontDoor).map(Number)])];
  return {
    ...Object.fromEntries(
      Object.entries<Answer>(endpoint.answers).map(([status, answer]) => [
        status,
        describeSuccess(answer, endpoint),
      ]),
    ),
    ...Object.fromEntries(
      errorStatuses
        .toSorted((one, other) => one - other)
        .map((status) => [
          status,
          describeErrors(status, codes.get(status) ?? [], frontDoor[status], endpoint),
        ]),
    ),
  };
}

function codesByStatus(endpoint: Endpoint): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = errorCodesOf(endpoint);
  if (endpoint.errorForm === undefined) return Map.groupBy(codes, statusOf);
  const { statusesOf } = foreignErrors[endpoint.errorForm];
  const answered = codes.flatMap((code) => statusesOf(code).map((status) => ({ status, code })));
  return new Map(
    [...Map.groupBy(answered, ({ status }) => status)].map(([status, list]) => [
      status,
      list.map(({ code }) => code),
    ]),
  );
}

function describeSuccess(answer: Answer, endpoint: Endpoint): Response {
  const content = contentOf(answer, endpoint);
  return {
    description: answer.description,
    headers: headersOf([
      'X-Request-Id',
      ...(answer.headers ?? []),
      ...(endpoint.answerHeaders ?? []),
    ]),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

function contentOf({ body: declared, example }: Answer, { words }: Endpoint): Content {
  const bodies = declared === undefined ? [] : alternativesOf(declared);
  return Object.fromEntries(
    bodies.map((body) => {
      const schema = describeSchema(body, 'output', words.fields ?? {});
      const { contentMediaType = 'application/json' } = schema;
      const mediaType = `${contentMediaType}`.replace(/;.*$/, '');
      const isJson = mediaType === 'application/json';
      return [mediaType, { schema, ...(isJson && example !== undefined && { example }) }];
    }),
  );
}

function describeErrors(
  status: number,
  codes: readonly ErrorCode[],
  frontDoor: string | undefined,
  endpoint: Endpoint,
): Response {
  const { answers, answerHeaders = [] } = endpoint;
  // Postmark's 422 may also answer an email that was handled.
  const handled = Object.entries<Answer>(answers).flatMap(([own, answer]) =>
    Number(own) === status ? answer : [],
  );
  const meanings = codes.map((code) => `- \`${code}\`: ${errorFacts(code).meaning}`);
  const fromDoor = frontDoor === undefined ? [] : [`- Without a code: ${frontDoor}`];
  return {
    description: [
      ...handled.map((answer) => `- ${answer.description}`),
      ...meanings,
      ...fromDoor,
    ].join('\n'),
    ...(codes.length > 0 && {
      headers: errorHeaders(codes, [
        ...answerHeaders,
        ...handled.flatMap(({ headers = [] }) => headers),
      ]),
    }),
    content: {
      ...errorBodies(codes, frontDoor !== undefined, endpoint),
      ...(codes.length > 0 && mayShowErrors(endpoint) && { 'text/html': page }),
    },
  };
}

function errorBodies(
  codes: readonly ErrorCode[],
  mayComeFromDoor: boolean,
  { errorForm }: Endpoint,
): Content {
  const fromDoor = mayComeFromDoor ? [frontDoorAnswer.schema] : [];
  if (errorForm === undefined) {
    return {
      ...(codes.length > 0 && { 'application/problem+json': problemOf(codes) }),
      ...(mayComeFromDoor && { 'application/json': frontDoorAnswer }),
    };
  }
  const ownForm = { $ref: `#/components/schemas/${foreignErrors[errorForm].schema}` };
  const schemas = [...(codes.length > 0 ? [ownForm] : []), ...fromDoor];
  const [only, ...further] = schemas;
  const schema = only !== undefined && further.length === 0 ? only : { anyOf: schemas };
  return { 'application/json': { schema } };
}

/** Browsers get a page, as do callers who may ask for one instead of JSON. */
const mayShowErrors = ({ isForPeople, answers }: Endpoint): boolean =>
  isForPeople === true ||
  Object.values<Answer>(answers).some(
    ({ body }) => body !== undefined && isOfSeveralTypes(alternativesOf(body)),
  );

const isOfSeveralTypes = (bodies: ReturnType<typeof alternativesOf>): boolean =>
  bodies.length > 1 &&
  new Set(bodies.map((one) => describeSchema(one, 'output', {})['contentMediaType'])).size > 1;

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

/** Answers of API Gateway itself. */
const frontDoorStatuses = (takesBody: boolean): Readonly<Record<number, string>> => ({
  ...(takesBody && { 413: 'The body is larger than 6 MB.' }),
  429: 'All callers together exceed the throttle of the route. Nothing was done.',
  500: 'The function crashed or timed out. The outcome is unknown.',
  503: 'The function answered too late, or none was free. The outcome is unknown.',
});
