import * as z from 'zod/mini';
import { defineFunction } from '#shared/endpoints/background-function';
import { ServiceError } from '#shared/errors/service-error';
import { nearestOf } from '#shared/errors/unknown-field';
import { type RenderError, renderProblem } from '#shared/http/http-endpoint';
import { matchPath } from '#shared/http/match-path';
import { isPathOf, refuseUnsupported } from '#shared/http/unsupported-routes';
import { renderPostmarkError } from '#shared/postmark/postmark-error';
import { postmarkApi } from '#shared/postmark/unsupported-routes';
import { renderResendError } from '#shared/resend/resend-error';
import { resendApi } from '#shared/resend/unsupported-routes';

const openPathsSchema = z.array(z.object({ path: z.string(), methods: z.array(z.string()) }));
type OpenPath = z.output<typeof openPathsSchema>[number];

/** In the format of the API that was probably meant. */
const renderError: RenderError = (error, request) => {
  if (isPathOf(resendApi, request.path)) return renderResendError(error, request);
  if (isPathOf(postmarkApi, request.path)) return renderPostmarkError(error, request);
  return renderProblem(error, request);
};

export const backgroundFunction = defineFunction(
  {
    trigger: 'http-api',
    file: openPathsSchema,
    renderError,
    lambda: { stack: 'Account', tableActions: [], builtFile: 'routes.json' },
  },
  async ({ method, path, responseHeaders }, openPaths) =>
    refuseUnknownRoute({ method, path }, openPaths, responseHeaders),
);

/**
 * If the path has other methods, `Allow` names them (RFC 9110 §15.5.6); otherwise the error names the path that was
 * probably meant.
 *
 * @throws ServiceError `method_not_allowed`, `endpoint_not_found`
 */
export function refuseUnknownRoute(
  { method, path }: { readonly method: string; readonly path: string },
  openPaths: readonly OpenPath[],
  responseHeaders: Record<string, string>,
): never {
  const api = [resendApi, postmarkApi].find((one) => isPathOf(one, path));
  // Before methods: `POST /resend/domains/claim` isn't a wrong method of `/resend/domains/{id}`.
  if (api !== undefined) refuseUnsupported(api, path);
  const found = openPathOf(path, openPaths);
  if (found === undefined || found.methods.includes(method)) {
    throw endpointNotFound(meantPath({ method, path }, openPaths));
  }
  const allowed = found.methods.toSorted().join(', ');
  responseHeaders['Allow'] = allowed;
  throw new ServiceError('method_not_allowed', `This path only accepts ${allowed}.`);
}

/** The match with the most that is fixed: `/suppressions/lift` isn't `/suppressions/{email}`. */
const openPathOf = (path: string, openPaths: readonly OpenPath[]): OpenPath | undefined =>
  openPaths
    .filter((open) => matchPath(open.path, path) !== undefined)
    .toSorted((one, other) => fixedIn(other) - fixedIn(one))[0];

const fixedIn = ({ path }: OpenPath): number =>
  path.split('/').filter((segment) => !isParameter(segment)).length;

/** Paths of other services: Resend, Postmark, SendGrid, Mailgun, SES. */
const sendingElsewhere =
  /^(?:\/api)?(?:\/v\d)?\/(?:emails?|send|mail\/send|messages|email\/outbound-emails|[^/]+\/messages)$/;
const ownPaths: ReadonlyMap<string, string> = new Map([
  ['POST', '/api/v1/emails/send'],
  ['GET', '/api/v1/sends'],
]);
const prefix = '/api/v1';

/** No misspelling of one of our paths is longer. */
const longestCompared = 100;

/** Corrects a missing prefix, capitals, extra slashes and misspellings. */
function meantPath(
  { method, path }: { readonly method: string; readonly path: string },
  openPaths: readonly OpenPath[],
): string | undefined {
  if (path.length > longestCompared) return undefined;
  const tidy = path
    .toLowerCase()
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/$/, '');
  const own = ownPaths.get(method);
  if (own !== undefined && sendingElsewhere.test(tidy)) return own;
  const bare = tidy.replace(/^(?:\/api)?(?:\/v\d+)?(?=\/)/, '');
  const right = [tidy, prefix + bare, `/api${bare}`]
    .map((candidate) => openPathOf(candidate, openPaths))
    .find((open) => open !== undefined);
  return right?.path ?? nearestPath(prefix + bare, openPaths);
}

/** Compares paths with as many segments; parameters match anything. */
function nearestPath(path: string, openPaths: readonly OpenPath[]): string | undefined {
  const segments = path.split('/');
  return openPaths.find((open) => {
    const expected = open.path.split('/');
    return (
      expected.length === segments.length &&
      expected.every(
        (segment, index) => isParameter(segment) || isNearly(segments[index] ?? '', segment),
      )
    );
  })?.path;
}

const isParameter = (segment: string): boolean => segment.startsWith('{');
const isNearly = (actual: string, expected: string): boolean =>
  actual === expected || nearestOf(actual, [expected]) !== undefined;

const endpointNotFound = (meant: string | undefined): ServiceError =>
  new ServiceError(
    'endpoint_not_found',
    meant === undefined
      ? 'There is no endpoint at this path. Paths begin with /api/v1, are lowercase, and don’t end with a slash: see /docs.'
      : `There is no endpoint at this path. Did you mean ${meant}?`,
  );
