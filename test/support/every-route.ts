import type { EndpointName, endpoints } from '../../functions/endpoints.ts';
import { type Route, routes } from '../../functions/routes.ts';

type KeyOf<Given> = Given extends readonly (infer Key)[] ? Key : Given;

/** For example `GET /api/v1/sends/{id}`. A table by these names does not compile without a route of the API. */
export type RouteName = KeyOf<(typeof endpoints)[keyof typeof endpoints]['route']>;

/** Reads something of the key's organization, and names nothing in its path. */
type PlainRead = Exclude<Extract<RouteName, `GET /api/v1/${string}`>, `${string}{${string}`>;

/** Below these, a path's only id says whose it is. */
const resources = ['sends', 'templates', 'webhooks'] as const;
export type Resource = (typeof resources)[number];

type ResourceRead = Exclude<
  Extract<RouteName, `GET /api/v1/${Resource}/{id}${string}`>,
  `${string}{id}${string}{${string}`
>;

export const resourceOf = ({ path }: Pick<Route, 'path'>): Resource | undefined =>
  resources.find((resource) => path.startsWith(`/api/v1/${resource}/{id}`));

/** Its path says all that it needs to be asked. */
export type SimpleRead = PlainRead | ResourceRead;

/** Those that answer nothing but simple reads. */
export type SimpleReader = {
  [Name in EndpointName]: KeyOf<(typeof endpoints)[Name]['route']> extends SimpleRead
    ? Name
    : never;
}[EndpointName];

/** Says something of each route. It may leave out a simple read. */
export type RouteTable<Entry> = Readonly<Record<Exclude<RouteName, SimpleRead>, Entry>> & {
  readonly [Name in SimpleRead]?: Entry;
};

/** What a table says of each route, in the order of the route table; `simple` of those that it leaves out. */
export function byRoute<Entry>(table: RouteTable<Entry>, simple: (route: Route) => Entry) {
  const entries = new Map<string, Entry>(Object.entries(table));
  return routes.map((route) => {
    const { method, path, functionName, key: name } = route;
    return { name, method, path, functionName, entry: entries.get(name) ?? simple(route) };
  });
}
