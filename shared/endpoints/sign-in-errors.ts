import { errorFacts } from '#shared/errors/errors';
import { type RenderError, renderProblem, wantsPage } from '#shared/http/http-endpoint';
import { pageResponse } from '#shared/http/page-response';
import { signInRefusedPage } from '#shared/pages/error-pages';

/** For addresses that a browser goes through while somebody signs in: they get words and a way back. */
export const renderSignInError: RenderError = (error, request) => {
  const problem = renderProblem(error, request);
  if (!wantsPage(request)) return problem;
  const { title } = errorFacts(error.code);
  const page = pageResponse(
    problem.statusCode,
    signInRefusedPage({ title, detail: error.message, requestId: request.requestId }),
  );
  const { 'Retry-After': retryAfter } = problem.headers;
  return retryAfter === undefined
    ? page
    : { ...page, headers: { ...page.headers, 'Retry-After': retryAfter } };
};
