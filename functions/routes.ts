import { type Endpoint, type Method, methods, type RouteKey } from '#shared/endpoints/endpoint';
import { type EndpointName, endpoints } from './endpoints.ts';

export type Route = {
  readonly key: RouteKey;
  readonly method: Method;
  readonly path: string;
  /** Folder under `functions/`; also the construct id. */
  readonly functionName: EndpointName;
};

const everyEndpoint: Readonly<Record<EndpointName, Endpoint>> = endpoints;
export const endpointNames = Object.keys(endpoints).filter(
  (name): name is EndpointName => name in endpoints,
);
export const endpointOf = (name: EndpointName): Endpoint => everyEndpoint[name];

export const routes: readonly Route[] = endpointNames.flatMap((functionName) =>
  [endpointOf(functionName).route].flat().map((key) => {
    const { method, path } = partsOf(key);
    return { key, method, path, functionName };
  }),
);

export const openPaths = [...Map.groupBy(routes, ({ path }) => path)].map(([path, itsRoutes]) => ({
  path,
  methods: itsRoutes.map(({ method }) => method),
}));

function partsOf(key: RouteKey) {
  const [name, path = ''] = key.split(' ');
  const method = methods.find((one) => one === name);
  if (method === undefined) throw new Error(`No method of HTTP in ${key}`);
  return { method, path };
}
