import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Route, routes } from '../../functions/routes.ts';
import { createRouteMatcher } from '../../infra/local/gateway/route-matching.ts';
import { componentsOf, headerNames } from '../../infra/openapi/components.ts';
import { describePaths } from '../../infra/openapi/describe-service.ts';
import { routedEndpoints } from '../../infra/openapi/endpoints.ts';
import type { OpenApiDocument, Response, Schema } from '../../infra/openapi/openapi-types.ts';

/** An answer that somebody got to a request. */
export type SeenAnswer = {
  readonly method: string;
  /** Percent-encoded, without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
};

type AnswerCheck = (answer: SeenAnswer) => readonly string[];

const findRoute = createRouteMatcher(routes);

/** Whether an endpoint of the description answers this request. */
export const isDescribed = (method: string, path: string): boolean =>
  findRoute(method, path) !== undefined;

/** Each endpoint is described once a process, when its first answer is seen. */
const checks = new Map<string, AnswerCheck>();

/** What an answer has that the description does not know: in its status, headers, media type, or body. */
export function undescribedIn(answer: SeenAnswer): readonly string[] {
  const { method, path } = answer;
  const routeKey = findRoute(method, path)?.routeKey ?? '';
  const check = checks.get(routeKey) ?? createCheck(routeKey);
  checks.set(routeKey, check);
  return check(answer);
}

function createCheck(routeKey: string): AnswerCheck {
  const endpoint = routedEndpoints.find(({ at }) => at.key === routeKey);
  if (endpoint === undefined) throw new Error(`No route ${routeKey}`);
  const paths = describePaths([endpoint]);
  const components = componentsOf(paths);
  const responses = responsesOf(endpoint.at, paths);

  return ({ status, headers, body }) => {
    const response = responses[status];
    if (response === undefined) return [`status ${status} is not described: ${body}`];
    const undescribed = headerFaults(response, headers);
    if (body === '') return undescribed;

    const mediaType = headers.get('content-type')?.replace(/;.*$/, '') ?? '';
    const schema = response.content?.[mediaType]?.schema;
    if (schema === undefined) return [...undescribed, `status ${status} has no ${mediaType}`];
    if (!/\bjson$/.test(mediaType)) return undescribed;
    const validate = validators.get(schema) ?? compile(schema, components);
    validators.set(schema, validate);
    validate(JSON.parse(body));
    const faults = (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
    return [...undescribed, ...faults];
  };
}

const validators = new Map<Schema, ValidateFunction>();
const compiled = new Map<string, ValidateFunction>();

/** Most answers of errors are described alike, and a component is the same for all endpoints. */
function compile(schema: Schema, components: OpenApiDocument['components']): ValidateFunction {
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? ajv.compile({ ...schema, components });
  compiled.set(text, validate);
  return validate;
}

// Most validators are used a few times: to make them small takes longer than it saves.
const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  validateSchema: false,
  code: { optimize: false },
});

const responsesOf = (
  { method, path }: Route,
  paths: OpenApiDocument['paths'],
): Readonly<Record<string, Response>> =>
  Object.entries(paths[path.replace('+}', '}')] ?? {}).find(
    ([name]) => name === method.toLowerCase(),
  )?.[1].responses ?? {};

/** The headers that the description knows, where it does not tell of them. */
const headerFaults = (response: Response, headers: Headers): readonly string[] =>
  headerNames
    .filter((name) => headers.has(name) && response.headers?.[name] === undefined)
    .map((name) => `header ${name} is not described`);
