import middy from '@middy/core';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { ServiceError } from '#shared/errors/service-error';
import { openRequestLog, type RequestLog } from '#shared/observability/request-log';
import type { HttpResponse } from './http-response.ts';
import { readJson } from './request-body.ts';
import { problemResponse, toServiceError } from './problem-response.ts';
import { cookiesThatCount } from './credential.ts';
import type { RequestSource } from './source-address.ts';

/** A request as an endpoint sees it, without its body. */
export type HttpRequest = {
  /** By lower-case name. `cookie` is there only when the request may act by it: see `cookiesThatCount`. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly pathParameters: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly method: string;
  /** URL-decoded, without the query. */
  readonly path: string;
  readonly source: RequestSource;
  /** The same id as in `X-Request-Id` and on every line of the log. */
  readonly requestId: string;
  readonly log: RequestLog;
  /** Headers that the response carries whatever the outcome, for example `X-RateLimit-Limit`. */
  readonly responseHeaders: Record<string, string>;
};

/** A request whose body is JSON. */
export type JsonRequest = HttpRequest & {
  /** Whether there is a body at all. */
  readonly hasBody: boolean;
  /**
   * Reads the body, not yet by the endpoint's schema. An operation calls it once it knows its caller: a
   * stranger learns nothing about a body, not even whether it is JSON. Only the send endpoints read it before,
   * as they read key and recipients at once. They keep a fault to themselves until they know the caller.
   *
   * @throws ServiceError `unsupported_content_type`, `malformed_json`
   */
  readonly readBody: () => unknown;
};

type Run<Request> = (request: Request) => Promise<HttpResponse>;
export type RenderError = (error: ServiceError, request: HttpRequest) => HttpResponse;

export const renderProblem: RenderError = (error, { requestId }) =>
  problemResponse(error, requestId);

/** An endpoint whose requests carry a JSON body. */
export const jsonEndpoint = (run: Run<JsonRequest>) =>
  httpEndpoint((request, { body, isBase64Encoded }) => {
    const { headers } = request;
    return run({
      ...request,
      hasBody: body !== undefined,
      readBody: () => readJson({ body, isBase64Encoded, headers }),
    });
  });

/** An endpoint whose requests carry no body. */
export const bodilessEndpoint = (run: Run<HttpRequest>) => httpEndpoint(run);

/**
 * Any endpoint: headers by lower-case name, a request id on every response, errors as responses.
 *
 * It has no early time-out. With one, middy would answer while the operation goes on, and Lambda would
 * freeze it in the middle of a write and thaw it when a retry has long taken over. Lambda's own time-out
 * ends the process.
 *
 * @param render how an error looks to the caller; problem details unless told otherwise.
 */
export function httpEndpoint(
  run: (request: HttpRequest, event: APIGatewayProxyEventV2) => Promise<HttpResponse>,
  render: RenderError = renderProblem,
) {
  return middy<APIGatewayProxyEventV2, HttpResponse, Error, Context>({ timeoutEarlyInMillis: 0 })
    .use(httpHeaderNormalizer())
    .use({
      onError: ({ event, error }) => {
        const request = requestOf(event);
        return complete(request, refuse(error, request, render));
      },
    })
    .handler(async (event: APIGatewayProxyEventV2) => {
      const request = requestOf(event);
      return complete(request, await run(request, event));
    });
}

const requests = new WeakMap<APIGatewayProxyEventV2, HttpRequest>();

/** One request per event, so that handler and error handler share its log and response headers. */
function requestOf(event: APIGatewayProxyEventV2): HttpRequest {
  const request = requests.get(event) ?? openRequest(event);
  requests.set(event, request);
  return request;
}

function openRequest(event: APIGatewayProxyEventV2): HttpRequest {
  const { requestId } = event.requestContext;
  return {
    headers: { ...event.headers, cookie: cookiesThatCount(event) },
    pathParameters: event.pathParameters ?? {},
    query: event.queryStringParameters ?? {},
    method: event.requestContext.http.method,
    path: event.rawPath,
    source: {
      sourceIp: event.requestContext.http.sourceIp,
      forwardedFor: event.headers['x-forwarded-for'],
    },
    requestId,
    log: openRequestLog({ requestId, route: event.routeKey }),
    responseHeaders: {},
  };
}

function refuse(error: unknown, request: HttpRequest, render: RenderError): HttpResponse {
  const serviceError = toServiceError(error);
  const response = render(serviceError, request);
  const fields = { code: serviceError.code, status: response.statusCode };
  if (response.statusCode >= 500) request.log.error('request failed', serviceError, fields);
  else request.log.info('request refused', fields);
  return response;
}

const complete = (request: HttpRequest, response: HttpResponse): HttpResponse => ({
  ...response,
  headers: {
    'X-Request-Id': request.requestId,
    'Cache-Control': 'no-store',
    ...request.responseHeaders,
    ...response.headers,
  },
});
