import { greedyParameter, matchPath, parameter } from '#shared/http/match-path';
import type { Route } from '../../../functions/routes.ts';

export type FunctionRoute = Pick<Route, 'method' | 'path'> & { readonly functionName: string };

export type RouteMatch = {
  /** For example `GET /api/v1/sends/{id}`, or `$default`. */
  readonly routeKey: string;
  readonly functionName: string;
  /** URL-decoded, as HTTP API gives them to the function. */
  readonly pathParameters: Readonly<Record<string, string>>;
};

/** `path` is still percent-encoded. */
export type RouteMatcher = (method: string, path: string) => RouteMatch | undefined;

/** HTTP API's order: the most specific route wins, and a fixed segment comes before `{name}`, before `{name+}`. */
export function createRouteMatcher(routes: readonly FunctionRoute[]): RouteMatcher {
  const candidates = routes.toSorted((a, b) => (specificity(a) < specificity(b) ? -1 : 1));
  return (method, path) => {
    for (const route of candidates) {
      if (route.method !== method) continue;
      const pathParameters = matchPath(route.path, path);
      if (pathParameters === undefined) continue;
      const { functionName } = route;
      return { routeKey: `${route.method} ${route.path}`, functionName, pathParameters };
    }
    return undefined;
  };
}

/** Sorts before less specific routes that could match the same path. */
const specificity = ({ path }: FunctionRoute): string =>
  path
    .split('/')
    .map((segment) => (greedyParameter.test(segment) ? '2' : parameter.test(segment) ? '1' : '0'))
    .join('');
