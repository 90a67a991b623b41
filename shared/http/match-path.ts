/**
 * Matches like HTTP API: `{name}` is one segment that isn't empty, `{name+}` the rest, and `/path/` isn't `/path`.
 *
 * @param path the request's, still percent-encoded or decoded already.
 * @returns its parameters, URL-decoded; `undefined` if it doesn't match, or can't be decoded.
 */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const segments = path.split('/');
  const expectedSegments = template.split('/');
  const found: Record<string, string> = {};
  for (const [index, expected] of expectedSegments.entries()) {
    const segment = segments[index];
    if (segment === undefined) return undefined;
    const greedyName = greedyParameter.exec(expected)?.[1];
    if (greedyName !== undefined) {
      return { ...found, [greedyName]: segments.slice(index).map(decoded).join('/') };
    }
    const actual = decoded(segment);
    const name = parameter.exec(expected)?.[1];
    if (name === undefined ? actual !== expected : actual === '') return undefined;
    if (name !== undefined) found[name] = actual;
  }
  return expectedSegments.length === segments.length ? found : undefined;
}

export const greedyParameter = /^\{(.+)\+\}$/;
export const parameter = /^\{(.+)\}$/;

/**
 * A decoded path may have a literal percent sign, which can't be decoded again. Each costs an error, so a path that
 * doesn't match is decoded only up to where it differs.
 */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
