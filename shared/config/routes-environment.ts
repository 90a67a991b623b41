import * as z from 'zod/mini';

/** A path of the API, for example `/api/v1/sends/{id}`, and the methods that it takes. */
export type OpenPath = { readonly path: string; readonly methods: readonly string[] };

/** Environment of the function that answers what no route takes. */
export const routesEnvironment = z.object({
  ROUTES: z.pipe(
    z.string().check(z.minLength(1)),
    z.transform((text) => text.split('\n').map(toOpenPath)),
  ),
});

/** All paths in one variable, a line each: Lambda's variables have 4 KB together. */
export const toRoutesVariable = (openPaths: readonly OpenPath[]): string =>
  openPaths.map(({ path, methods }) => [path, ...methods].join(' ')).join('\n');

function toOpenPath(line: string): OpenPath {
  const [path = '', ...methods] = line.split(' ');
  return { path, methods };
}
