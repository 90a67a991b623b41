import { keyShownMs } from '#shared/access/sign-in';
import { type Endpoint, scopesOf, type Words } from '#shared/endpoints/endpoint';
import { describeAnswers } from './describe-answers.ts';
import { describeSchema } from './describe-schema.ts';
import type { RoutedEndpoint } from './endpoints.ts';
import type { Content, Operation, Parameter, Schema } from './openapi-types.ts';

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
    case 'operator_secret':
      return [{ operatorSecret: [] }];
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
