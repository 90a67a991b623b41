import { type Access, type EndpointReference, scopesOf } from '#shared/openapi/endpoint-reference';
import { describeAnswers } from './describe-answers.ts';
import { describeSchema } from './describe-schema.ts';
import type { Content, Operation, Parameter, Schema } from './document.ts';
import type { Endpoint } from './endpoints.ts';

/** Describes one endpoint. */
export function describeOperation(endpoint: Endpoint): Operation {
  const { route, reference, schemas } = endpoint;
  const parameters = describeParameters(endpoint);
  return {
    operationId: operationIdOf(route),
    tags: [reference.section],
    summary: reference.summary,
    description: reference.isBeta
      ? `${reference.description}\n\nThis endpoint is in beta: it may change.`
      : reference.description,
    security: securityOf(reference.access),
    ...(parameters.length > 0 && { parameters }),
    ...(schemas.requestSchema && { requestBody: describeBody(endpoint) }),
    responses: describeAnswers(endpoint),
  };
}

/** `send-email` becomes `sendEmail`. The function of two methods, or of a path and all below it, has two ids. */
function operationIdOf({ method, path, functionName }: Endpoint['route']): string {
  const own = path.endsWith('+}') ? `${functionName}-below` : functionName;
  const name = method === 'HEAD' ? `head-${own}` : own;
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function securityOf(access: Access): Operation['security'] {
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
      const withKey = needed.flatMap((one) => [{ apiKey: one }, { apiKeyHeader: one }]);
      return access.key === 'optional' ? [...withKey, {}] : withKey;
    }
  }
}

function describeParameters({ route, schemas, reference }: Endpoint): readonly Parameter[] {
  const { example = {} } = reference;
  return [
    // A function of two paths has its parameters in one of them.
    ...parametersOf('path', schemas.pathSchema, example.path, reference).filter(({ name }) =>
      new RegExp(`\\{${name}\\+?\\}`).test(route.path),
    ),
    ...parametersOf('query', schemas.querySchema, example.query, reference),
    ...parametersOf('header', schemas.headersSchema, example.headers, reference),
  ];
}

function parametersOf(
  place: Parameter['in'],
  schema: Endpoint['schemas']['querySchema'],
  examples: Readonly<Record<string, string>> | undefined,
  { fields = {} }: EndpointReference,
): readonly Parameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = describeSchema(schema, 'input', fields);
  return Object.entries(properties)
    .filter(([name]) => !secretHeaders.has(name))
    .map(([name, { description = '', ...property }]) => ({
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

/** A path parameter that does not match leads to nothing: 404, and no fault of the request's form. */
const withoutPattern = (place: Parameter['in'], schema: Schema): Schema => {
  if (place !== 'path') return schema;
  const { pattern: _, ...rest } = schema;
  return rest;
};

/** The security schemes tell of them. */
const secretHeaders = new Set(['x-cron-secret', 'x-operator-secret']);

const canonicalHeader = (name: string): string =>
  name.replaceAll(/(^|-)(\w)/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());

function describeBody({ schemas, reference }: Endpoint) {
  const { accepts = ['application/json'], fields = {}, example, isBodyOptional } = reference;
  const schema = schemas.requestSchema && describeSchema(schemas.requestSchema, 'input', fields);
  const content: Content = Object.fromEntries(
    accepts.map((mediaType) => [
      mediaType,
      mediaType === 'application/octet-stream'
        ? { schema: { type: 'string', format: 'binary' } }
        : { schema: schema ?? {}, ...(example?.body !== undefined && { example: example.body }) },
    ]),
  );
  return { required: isBodyOptional !== true, content };
}
