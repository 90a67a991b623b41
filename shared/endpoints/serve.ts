import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { type Authentication, admitCaller, type Caller } from '#shared/access/authenticate-caller';
import { requireScope } from '#shared/access/scopes';
import { ServiceError } from '#shared/errors/service-error';
import { presentedCredential } from '#shared/http/credential';
import { readCsv } from '#shared/http/csv-body';
import { type HttpRequest, httpEndpoint } from '#shared/http/http-endpoint';
import { type HttpResponse, jsonResponse } from '#shared/http/http-response';
import { readJson } from '#shared/http/json-body';
import type { OperatorGate } from '#shared/http/operator-gate';
import { parseBody, parseParameters } from '#shared/http/parse-request';
import {
  type Access,
  type AnswerTo,
  type CallerOf,
  type Endpoint,
  type KeyAccess,
  type Operator,
  type Parts,
  partNames,
  type RequestTo,
  scopesOf,
} from './endpoint.ts';

/** What a request brings along beside its parts. */
export type Surroundings = Pick<HttpRequest, 'log' | 'source'>;

/** What admitting the callers of an endpoint uses. */
type Admission<A extends Access> = A extends KeyAccess
  ? Authentication
  : A extends 'operator_secret'
    ? OperatorAdmission
    : object;
type OperatorAdmission = { readonly admitOperator: OperatorGate };

/** Members that admit callers, among others that the operation uses. */
type Admitting = Partial<Authentication & OperatorAdmission> & {
  readonly [member: string]: unknown;
};

type Answered<E extends Endpoint> = Promise<AnswerTo<E> | WithHeaders<AnswerTo<E>>>;

/**
 * Serves an endpoint. The order is always the same: admit the caller, check the request, run, answer by the declared
 * schema. So a stranger learns nothing about a request, not even whether its body is JSON.
 *
 * @param capability what the operation uses, and what admitting its callers uses.
 * @param run the operation. It returns the body of the answer.
 */
export const serve = <const E extends Endpoint, Capability extends Admitting>(
  endpoint: E,
  capability: Capability & Admission<E['access']>,
  run: (request: RequestTo<E> & Surroundings, capability: Capability) => Answered<E>,
) =>
  httpEndpoint(async (request, event) => {
    const caller = await admit(endpoint, request, capability);
    const parts = readParts(endpoint, request, event);
    const { log, source } = request;
    return answer(endpoint, await run({ ...parts, caller, log, source }, capability));
  });

/** A request whose caller nobody has admitted yet. */
export type UnadmittedRequest<E extends Endpoint> = Unadmitted & {
  /**
   * Checks the parts of the request.
   *
   * @throws ServiceError `malformed_json`, `unsupported_content_type`, `validation_failed`
   */
  readonly readParts: () => Parts<E>;
};
type Unadmitted = HttpRequest & {
  /** The API key or session that is presented, as text. */
  readonly credential: string | undefined;
  /**
   * Reads the body, not yet by the endpoint's schema.
   *
   * @throws ServiceError `malformed_json`, `unsupported_content_type`
   */
  readonly readBody: () => unknown;
};

/**
 * Serves an endpoint whose operation admits its callers itself. The two that send and the timeline read key and data in
 * one round trip instead of two, and those that sign in or out change the key that they admit.
 */
export const serveUnadmitted = <const E extends Endpoint>(
  endpoint: E,
  run: (request: UnadmittedRequest<E>) => Answered<E>,
) =>
  httpEndpoint(async (request, event) => {
    const unadmitted = {
      ...request,
      credential: presentedCredential(request.headers),
      readBody: () => readBody(endpoint, request, event),
      readParts: () => readParts(endpoint, request, event),
    };
    return answer(endpoint, await run(unadmitted));
  });

/** An answer with headers of its own. */
export class WithHeaders<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Body, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

async function admit<const E extends Endpoint>(
  { access }: E,
  { headers }: HttpRequest,
  admitting: Admitting,
): Promise<CallerOf<E['access']>> {
  const caller = await admittedBy(access, headers, admitting);
  if (isCallerOf<E['access']>(access, caller)) return caller;
  throw unadmittable();
}

const isCallerOf = <A extends Access>(access: Access, caller: unknown): caller is CallerOf<A> =>
  access === 'anybody' || isOptional(access) || caller !== undefined;

const isOptional = (access: Access): boolean =>
  typeof access !== 'string' && access.key === 'optional';

async function admittedBy(
  access: Access,
  headers: HttpRequest['headers'],
  { apiKeys, now, admitOperator }: Admitting,
): Promise<Caller | Operator | undefined> {
  if (access === 'anybody') return undefined;
  if (access === 'operator_secret' && admitOperator !== undefined) {
    return admitOperator(headers['x-operator-secret']);
  }
  if (typeof access === 'string' || apiKeys === undefined || now === undefined) {
    throw unadmittable();
  }
  const credential = presentedCredential(headers);
  if (isOptional(access) && credential === undefined) return undefined;
  const caller = await admitCaller(credential, { apiKeys, now });
  requireScope(caller.apiKey, ...scopesOf(access));
  return caller;
}

const unadmittable = () => new Error('The endpoint can admit nobody');

function readParts<const E extends Endpoint>(
  endpoint: E,
  request: HttpRequest,
  event: APIGatewayProxyEventV2,
): Parts<E> {
  const parts = checkedParts(endpoint, request, event);
  if (hasParts(endpoint, parts)) return parts;
  throw new Error('A part of the request was not read');
}

const hasParts = <const E extends Endpoint>(endpoint: E, parts: object): parts is Parts<E> =>
  partNames.every((name) => endpoint[name] === undefined || name in parts);

/** A path that names nothing is no fault of the request's form: every other fault is answered first. */
function checkedParts(
  { headers, query, body, path, unmatchedPath, ...endpoint }: Endpoint,
  request: HttpRequest,
  event: APIGatewayProxyEventV2,
): object {
  const read = {
    ...(headers && { headers: parseParameters(headers, request.headers) }),
    ...(query && { query: parseParameters(query, request.query) }),
    ...(body && { body: parseBody(body, readBody(endpoint, request, event)) }),
  };
  if (path === undefined) return read;
  if (unmatchedPath === undefined) {
    return { ...read, path: parseParameters(path, request.pathParameters) };
  }
  const matched = z.safeParse(path, request.pathParameters);
  if (!matched.success) throw new ServiceError(unmatchedPath);
  return { ...read, path: matched.data };
}

function readBody(
  { accepts, isBodyOptional }: Pick<Endpoint, 'accepts' | 'isBodyOptional'>,
  { headers }: HttpRequest,
  { body, isBase64Encoded }: APIGatewayProxyEventV2,
): unknown {
  if (isBodyOptional && body === undefined) return {};
  const raw = { body, isBase64Encoded, headers };
  return accepts?.includes('text/csv') ? readCsv(raw) : readJson(raw);
}

/** The first success that an endpoint declares is the one that it answers; pages and files have their own way. */
function answer({ answers }: Endpoint, answered: unknown): HttpResponse {
  const [success] = Object.entries(answers);
  if (success === undefined) throw new Error('An endpoint without an answer');
  const [status, { body: schema }] = success;
  const { body, headers } =
    answered instanceof WithHeaders ? answered : { body: answered, headers: {} };
  const statusCode = Number(status);
  if (schema === undefined) return { statusCode, headers, body: '' };
  return { ...jsonResponse(z.parse(schema, body), headers), statusCode };
}
