import { statusOf } from '#shared/errors/errors';
import type { ServiceError } from '#shared/errors/service-error';
import {
  errorPage,
  goneSenderPage,
  linkNotValidPage,
  tooManyRequestsPage,
  withdrawnLinkPage,
} from '#shared/pages/error-pages';
import { readFields } from './form-body.ts';
import {
  type HttpRequest,
  httpEndpoint,
  type RenderError,
  renderProblem,
} from './http-endpoint.ts';
import type { HttpResponse } from './http-response.ts';
import { pageResponse } from './page-response.ts';

/** A request from a browser, a mail client, or a program that does what they do. */
export type PageRequest = HttpRequest & {
  /**
   * Reads the fields of the form or JSON body, once it is known who asks.
   *
   * @throws ServiceError `malformed_body`
   */
  readonly readFields: () => Promise<URLSearchParams>;
  /** A person looks at the answer; else it is a program, which gets JSON. */
  readonly wantsPage: boolean;
};

/**
 * An endpoint for people: its pages and its errors are HTML to a browser, JSON to a program.
 *
 * @param render how an error looks; as on the pages behind the links of emails unless told.
 */
export const pageEndpoint = (
  run: (request: PageRequest) => Promise<HttpResponse>,
  render: RenderError = renderErrorFor,
) =>
  httpEndpoint((request, { body, isBase64Encoded }) => {
    const { headers } = request;
    return run({
      ...request,
      readFields: () => readFields({ body, isBase64Encoded, headers }),
      wantsPage: wantsPage(request),
    });
  }, render);

/** Whether a person looks at the answer. */
export const wantsPage = ({ headers }: HttpRequest): boolean =>
  headers['accept']?.includes('text/html') ?? false;

export const renderErrorFor: RenderError = (error, request) => {
  if (!wantsPage(request)) return renderProblem(error, request);
  const status = statusOf(error.code);
  if (status >= 500) return pageResponse(status, errorPage());
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
