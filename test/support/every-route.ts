import { routes } from '../../functions/routes.ts';

type NameOf<Given> = Given extends {
  readonly method: infer Method extends string;
  readonly path: infer Path extends string;
}
  ? `${Method} ${Path}`
  : never;

/** For example `GET /api/v1/sends/{id}`. A table by these names does not compile without a route of the API. */
export type RouteName = NameOf<(typeof routes)[number]>;

/** What a table says of each route, in the order of the route table. */
export function byRoute<Entry>(table: Readonly<Record<RouteName, Entry>>) {
  const entries = new Map<string, Entry>(Object.entries(table));
  return routes.map(({ method, path, functionName }) => {
    const name = `${method} ${path}`;
    const entry = entries.get(name);
    if (entry === undefined) throw new Error(`The table lacks ${name}`);
    return { name, method, path, functionName, entry };
  });
}
