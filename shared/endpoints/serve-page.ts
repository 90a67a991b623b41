import { statusOf } from '#shared/errors/errors';
import type { ServiceError } from '#shared/errors/service-error';
import { presentedCredential } from '#shared/http/credential';
import {
  httpEndpoint,
  type RenderError,
  renderProblem,
  wantsPage,
} from '#shared/http/http-endpoint';
import type { HttpResponse } from '#shared/http/http-response';
import { pageResponse } from '#shared/http/page-response';
import { readFields } from '#shared/http/request-body';
import {
  errorPage,
  goneSenderPage,
  linkNotValidPage,
  tooManyRequestsPage,
  withdrawnLinkPage,
} from '#shared/pages/error-pages';
import { openServiceFor } from './open-function.ts';
import { readParameters } from './request-parts.ts';
import { operationOf, type Served } from './serve.ts';

/**
 * Browsers get pages and errors as HTML, programs JSON. The token in the URL admits the caller, so the operation checks
 * it before it reads a form.
 */
export const servePage = (endpoint: Served) => {
  const run = operationOf<HttpResponse>(endpoint);
  const service = openServiceFor(endpoint);
  return httpEndpoint((request, { body, isBase64Encoded }) => {
    const { method, headers, route, requestId, log, context, source, linkHost } = request;
    const asked = {
      ...readParameters(endpoint, request),
      method,
      headers,
      route,
      requestId,
      log,
      context,
      source,
      linkHost,
      credential: presentedCredential(headers),
      readFields: (maxBytes?: number) => readFields({ body, isBase64Encoded, headers }, maxBytes),
      wantsPage: wantsPage(request),
    };
    return run(asked, service);
  }, endpoint.renderError ?? renderErrorFor);
};

const renderErrorFor: RenderError = (error, request) => {
  if (!wantsPage(request)) return renderProblem(error, request);
  const status = statusOf(error.code);
  if (status >= 500) return pageResponse(status, errorPage());
  // The link is fine, but not what was sent to it, or another request was faster.
  if (status === 409 || status === 413) return pageResponse(status, errorPage());
  if (status === 429) return withRetryAfter(pageResponse(status, tooManyRequestsPage()), error);
  if (error.code === 'link_withdrawn') return pageResponse(status, withdrawnLinkPage());
  if (error.code === 'sender_gone') return pageResponse(status, goneSenderPage());
  return pageResponse(404, linkNotValidPage());
};

const withRetryAfter = (
  response: HttpResponse,
  { retryAfterSeconds = 1 }: ServiceError,
): HttpResponse => ({
  ...response,
  headers: { ...response.headers, 'Retry-After': `${retryAfterSeconds}` },
});
