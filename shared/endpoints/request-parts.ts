import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { parseFields } from '#shared/errors/field-error';
import { ServiceError } from '#shared/errors/service-error';
import type { HttpRequest } from '#shared/http/http-endpoint';
import { parseParameters } from '#shared/http/parse-request';
import { readCsv, readJson } from '#shared/http/request-body';
import type { Endpoint, Parameters, Parts } from './endpoint.ts';
import type { ReceivedBody } from './received-body.ts';

/**
 * Checks the parts that the endpoint declares. A path that names nothing isn't malformed, so every other fault is
 * reported first.
 *
 * @throws ServiceError `malformed_json`, `unsupported_content_type`, `validation_failed`, the code of an unmatched
 *   path
 */
export function readParts<const E extends Endpoint>(
  endpoint: E,
  request: HttpRequest,
  event: APIGatewayProxyEventV2,
): Parts<E>;
export function readParts(endpoint: Endpoint, request: HttpRequest, event: APIGatewayProxyEventV2) {
  const { body } = endpoint;
  return {
    ...checkedHeadersAndQuery(endpoint, request),
    ...(body && { body: parseFields(body, readBody(endpoint, request, event)) }),
    ...checkedPath(endpoint, request),
  };
}

export function readParameters<const E extends Endpoint>(
  endpoint: E,
  request: HttpRequest,
): Parameters<E>;
export function readParameters(endpoint: Endpoint, request: HttpRequest) {
  return { ...checkedHeadersAndQuery(endpoint, request), ...checkedPath(endpoint, request) };
}

function checkedHeadersAndQuery(endpoint: Endpoint, request: HttpRequest): object {
  const { headers, query } = endpoint;
  refuseForeignQuery(endpoint, request);
  return {
    ...(headers && { headers: parseParameters(headers, request.headers) }),
    ...(query && { query: parseParameters(query, request.query) }),
  };
}

/** A field of the body that a program puts into the query, such as the idempotency key, would be ignored unnoticed. */
function refuseForeignQuery(endpoint: Endpoint, request: HttpRequest): void {
  if (endpoint.query === undefined && isForOwnClients(endpoint)) {
    parseParameters(noQuery, request.query);
  }
}

const noQuery = z.strictObject({});

/** Browsers, schedulers and programs written for another service's API may add parameters. */
const isForOwnClients = ({ access, errorForm, isForPeople }: Endpoint): boolean =>
  access !== 'anybody' && access !== 'cron_secret' && errorForm === undefined && !isForPeople;

function checkedPath({ path, unmatchedPath }: Endpoint, { pathParameters }: HttpRequest): object {
  if (path === undefined) return {};
  if (unmatchedPath === undefined) return { path: parseParameters(path, pathParameters) };
  const matched = z.safeParse(path, pathParameters);
  if (!matched.success) throw new ServiceError(unmatchedPath);
  return { path: matched.data };
}

/** The body of a request that has nothing else to check. */
export function receiveBody(
  endpoint: Endpoint,
  request: HttpRequest,
  event: APIGatewayProxyEventV2,
): ReceivedBody {
  try {
    refuseForeignQuery(endpoint, request);
    return { ok: true, value: readBody(endpoint, request, event) };
  } catch (error) {
    if (error instanceof ServiceError) return { ok: false, error };
    throw error;
  }
}

function readBody(
  { accepts, isBodyOptional }: Pick<Endpoint, 'accepts' | 'isBodyOptional'>,
  { headers, context }: HttpRequest,
  { body, isBase64Encoded }: APIGatewayProxyEventV2,
): unknown {
  if (isBodyOptional && body === undefined) return {};
  const raw = { body, isBase64Encoded, headers };
  if (accepts?.includes('text/csv')) return readCsv(raw);
  context.readBodyAgain = () => readJson(raw);
  return readJson(raw);
}
