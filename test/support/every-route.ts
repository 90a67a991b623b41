import type { endpoints } from '../../functions/endpoints.ts';
import { routes } from '../../functions/routes.ts';

type KeyOf<Given> = Given extends readonly (infer Key)[] ? Key : Given;

/** For example `GET /api/v1/sends/{id}`. A table by these names does not compile without a route of the API. */
export type RouteName = KeyOf<(typeof endpoints)[keyof typeof endpoints]['route']>;

/** Reads something of the key's organization, and names nothing in its path. */
export type PlainRead = Exclude<Extract<RouteName, `GET /api/v1/${string}`>, `${string}{${string}`>;

/** Says something of each route. It may leave out a plain read. */
export type RouteTable<Entry> = Readonly<Record<Exclude<RouteName, PlainRead>, Entry>> & {
  readonly [Name in PlainRead]?: Entry;
};

/** What a table says of each route, in the order of the route table; `plain` of those that it leaves out. */
export function byRoute<Entry>(table: RouteTable<Entry>, plain: Entry) {
  const entries = new Map<string, Entry>(Object.entries(table));
  return routes.map(({ method, path, functionName }) => {
    const name = `${method} ${path}`;
    return { name, method, path, functionName, entry: entries.get(name) ?? plain };
  });
}
