import type { Route } from '../routes.ts';

export type RouteMatch = {
  readonly route: Route;
  /** URL-decoded, as HTTP API hands them to the function. */
  readonly pathParameters: Readonly<Record<string, string>>;
};

/** Finds the route of a request; `path` is still percent-encoded. */
export type RouteMatcher = (method: string, path: string) => RouteMatch | undefined;

type Candidate = { readonly route: Route; readonly segments: readonly string[] };

/**
 * Matches as HTTP API does: the most specific route wins (a fixed segment before `{name}` before
 * `{name+}`), and `/path/` is not `/path`, unlike with REST APIs.
 */
export function createRouteMatcher(routes: readonly Route[]): RouteMatcher {
  const candidates = routes
    .map((route): Candidate => ({ route, segments: route.path.split('/') }))
    .sort((a, b) => (specificity(a) < specificity(b) ? -1 : 1));
  return (method, path) => {
    const segments = path.split('/').map(decodeURIComponent);
    for (const { route, segments: template } of candidates) {
      if (route.method !== method) continue;
      const pathParameters = matchSegments(template, segments);
      if (pathParameters !== undefined) return { route, pathParameters };
    }
    return undefined;
  };
}

const greedyParameter = /^\{(.+)\+\}$/;
const parameter = /^\{(.+)\}$/;

/** Sorts before every less specific route that could match the same path. */
const specificity = ({ segments }: Candidate): string =>
  segments
    .map((segment) => (greedyParameter.test(segment) ? '2' : parameter.test(segment) ? '1' : '0'))
    .join('');

function matchSegments(
  template: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  for (const [index, expected] of template.entries()) {
    const actual = segments[index];
    if (actual === undefined) return undefined;
    const greedyName = greedyParameter.exec(expected)?.[1];
    if (greedyName !== undefined) {
      return { ...found, [greedyName]: segments.slice(index).join('/') };
    }
    const name = parameter.exec(expected)?.[1];
    if (name === undefined ? actual !== expected : actual === '') return undefined;
    if (name !== undefined) found[name] = actual;
  }
  return template.length === segments.length ? found : undefined;
}
