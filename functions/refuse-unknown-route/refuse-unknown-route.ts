import { ServiceError } from '#shared/errors/service-error';
import { matchPath } from '#shared/http/match-path';
import type { OpenPath } from '../routes.ts';

/**
 * Refuses a request that no endpoint takes. A path that has other methods names them in `Allow` (RFC 9110
 * §15.5.6).
 *
 * @throws ServiceError `method_not_allowed`, `endpoint_not_found`
 */
export function refuseUnknownRoute(
  { method, path }: { readonly method: string; readonly path: string },
  openPaths: readonly OpenPath[],
  responseHeaders: Record<string, string>,
): never {
  const matching = openPaths.filter((open) => matchPath(open.path, path) !== undefined);
  const allowed = [...new Set(matching.flatMap(({ methods }) => methods))].toSorted();
  if (allowed.length === 0 || allowed.includes(method)) throw endpointNotFound();
  responseHeaders['Allow'] = allowed.join(', ');
  throw new ServiceError(
    'method_not_allowed',
    `This path takes ${allowed.join(', ')}, and no other method.`,
  );
}

const endpointNotFound = (): ServiceError =>
  new ServiceError(
    'endpoint_not_found',
    'There is no endpoint at this path. Check that it begins with /api/v1, its case, and that no slash ends it.',
  );
