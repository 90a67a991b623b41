import middy from '@middy/core';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { newRequestContext, type RequestContext } from '#shared/access/request-context';
import { linkDomainsEnvironment, parseEnvironment } from '#shared/config/environment';
import { isOnLinkDomains, linkHostOf } from '#shared/config/link-domains';
import { errorFacts } from '#shared/errors/errors';
import { ServiceError, toServiceError } from '#shared/errors/service-error';
import { countOf, type Metric } from '#shared/observability/metrics';
import { openRequestLog, type RequestLog, serviceVersion } from '#shared/observability/request-log';
import type { HttpResponse } from './http-response.ts';
import { cookiesThatCount } from './session-cookie.ts';
import type { RequestSource } from './source-address.ts';

/** Its parts are unchecked, and the body is separate. */
export type HttpRequest = {
  /** By lower-case name. `cookie` only if the request may act by it: see `cookiesThatCount`. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly pathParameters: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly method: string;
  /** With the names of its parameters: `GET /api/v1/sends/{id}`. */
  readonly route: string;
  /** URL-decoded, without the query. */
  readonly path: string;
  readonly source: RequestSource;
  /** On this link domain, only its organization's links work. */
  readonly linkHost: string | undefined;
  /** The same id as in `X-Request-Id` and on every line of the log. */
  readonly requestId: string;
  readonly log: RequestLog;
  readonly context: RequestContext;
  /** Sent whatever the outcome, for example `X-RateLimit-Limit`. */
  readonly responseHeaders: Record<string, string>;
};

export const wantsPage = ({ headers }: Pick<HttpRequest, 'headers'>): boolean =>
  headers['accept']?.includes('text/html') ?? false;

export type RenderError = (error: ServiceError, request: HttpRequest) => HttpResponse;

/** RFC 9457 problem details, with `Retry-After` if a retry may help. */
export function renderProblem(
  error: ServiceError,
  { requestId }: Pick<HttpRequest, 'requestId'>,
): HttpResponse {
  const { status, title } = errorFacts(error.code);
  const headers: Record<string, string> = { 'Content-Type': 'application/problem+json' };
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = `${error.retryAfterSeconds}`;
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  return {
    statusCode: status,
    headers,
    body: JSON.stringify({
      type: `urn:problem:${error.code}`,
      title,
      status,
      detail: error.message,
      instance: `urn:request:${requestId}`,
      code: error.code,
      requestId,
      ...(error.errors && { errors: error.errors }),
    }),
  };
}

/**
 * Headers by lower-case name, a request id on every response, errors as responses.
 *
 * No early timeout: middy would answer while the operation goes on, and Lambda would freeze that in the middle of a
 * write and thaw it long after a retry has taken over. Lambda's own timeout ends the process.
 *
 * @param render how an error looks to the caller; problem details by default.
 */
export function httpEndpoint(
  run: (request: HttpRequest, event: APIGatewayProxyEventV2) => Promise<HttpResponse>,
  render: RenderError = renderProblem,
) {
  const { LINK_DOMAINS: linkDomains } = parseEnvironment(linkDomainsEnvironment);
  return middy<APIGatewayProxyEventV2, HttpResponse, Error, Context>({ timeoutEarlyInMillis: 0 })
    .use(httpHeaderNormalizer())
    .use({
      onError: ({ event, error }) => {
        const request = requestOf(event, linkDomains);
        return complete(request, refuse(error, request, render));
      },
    })
    .handler(async (event: APIGatewayProxyEventV2) => {
      const request = requestOf(event, linkDomains);
      if (request.linkHost !== undefined && !isOnLinkDomains(request.path)) {
        throw new ServiceError('endpoint_not_found');
      }
      try {
        return complete(request, await run(request, event));
      } finally {
        // Lambda freezes what isn't awaited.
        await Promise.all(request.context.pendingWork);
      }
    });
}

const requests = new WeakMap<APIGatewayProxyEventV2, HttpRequest>();

/** Once per event, because handler and error handler share its log and response headers. */
function requestOf(event: APIGatewayProxyEventV2, linkDomains: readonly string[]): HttpRequest {
  const request = requests.get(event) ?? newRequest(event, linkDomains);
  requests.set(event, request);
  return request;
}

function newRequest(event: APIGatewayProxyEventV2, linkDomains: readonly string[]): HttpRequest {
  const { requestId } = event.requestContext;
  const linkHost = linkHostOf(event, linkDomains);
  const log = openRequestLog({ requestId, route: event.routeKey });
  return {
    linkHost,
    headers: { ...event.headers, cookie: cookiesThatCount(event) },
    pathParameters: event.pathParameters ?? {},
    query: event.queryStringParameters ?? {},
    method: event.requestContext.http.method,
    route: event.routeKey,
    path: event.rawPath,
    source: {
      sourceIp: event.requestContext.http.sourceIp,
      // There is no proxy in front of a link domain, so the caller could have written the whole header.
      forwardedFor: linkHost === undefined ? event.headers['x-forwarded-for'] : undefined,
    },
    requestId,
    log,
    context: newRequestContext(log),
    responseHeaders: {},
  };
}

function refuse(error: unknown, request: HttpRequest, render: RenderError): HttpResponse {
  const serviceError = toServiceError(error);
  const response = render(serviceError, request);
  const fields = { code: serviceError.code, status: response.statusCode };
  if (response.statusCode >= 500) {
    // API Gateway counts it among the failures, by its status.
    const counted = serviceError.isSendersFault ? [countOf('SendersFaultAnswered')] : [];
    request.log.error('request failed', serviceError, fields, counted);
  } else request.log.info('request refused', fields, countOfRefusal(serviceError));
  return response;
}

/** By the code: under `/resend`, a wrong key is a 403. An alarm watches for people who try keys. */
const countOfRefusal = ({ code }: ServiceError): Metric[] =>
  errorFacts(code).refusesCredential ? [countOf('KeyRefused')] : [];

const complete = (request: HttpRequest, response: HttpResponse): HttpResponse => ({
  ...response,
  headers: {
    'X-Request-Id': request.requestId,
    'X-Service-Version': serviceVersion() ?? 'unknown',
    'Cache-Control': 'no-store',
    ...request.responseHeaders,
    ...response.headers,
  },
});
