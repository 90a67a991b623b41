import type { Endpoint } from '#shared/endpoints/endpoint';
import { endpointOf, routes } from '../../functions/routes.ts';
import type { DeploymentConfig } from './deployment-config.ts';

export type Throttle = { readonly rateLimit: number; readonly burstLimit: number };

/** Far below the 10,000 a second that all APIs of an account and Region share, so that this one can't starve the others. */
const mostRequestsPerSecond = 1_000;
/** Lambda takes that many requests a second for each execution that may run at a time (Lambda guide, "Quotas"). */
const requestsPerExecution = 10;

type Settings = Pick<
  DeploymentConfig,
  'apiRequestsPerSecond' | 'apiBurst' | 'linkRequestsPerSecond' | 'lambdaConcurrency'
>;

/** What each route takes that asks for a key or a secret. It follows what the account may run. */
export const defaultThrottleOf = ({
  apiRequestsPerSecond,
  apiBurst,
  lambdaConcurrency,
}: Settings): Throttle => ({
  rateLimit:
    apiRequestsPerSecond ??
    Math.min(requestsPerExecution * lambdaConcurrency, mostRequestsPerSecond),
  burstLimit: apiBurst ?? Math.min(2 * lambdaConcurrency, 2 * mostRequestsPerSecond),
});

/**
 * - `keyed`: strangers get 401 for one read at most. It has the default.
 * - `links`: recipients come here, with every email that is sent; or programs whose key is optional.
 * - `strangers`: anybody comes here, and few do: documents, the console's files, paths that no route has.
 */
export type Audience = 'keyed' | 'links' | 'strangers';

/** What all routes of an audience take together, as a multiple of what one keyed route takes. They share it equally. */
const shares = { links: 1.2, strangers: 0.3 } as const;

/**
 * What each route of an audience takes; nothing where the default counts. However many routes there are, those without a
 * key take no more together.
 */
export function throttleOf(audience: Audience, settings: Settings): Throttle | undefined {
  const { rateLimit, burstLimit } = defaultThrottleOf(settings);
  if (audience === 'keyed') return undefined;
  const routesOfAudience = [...routeAudiences.values()].filter((one) => one === audience).length;
  const share = Math.max(1, Math.floor((rateLimit * shares[audience]) / routesOfAudience));
  return audience === 'links'
    ? { rateLimit: settings.linkRequestsPerSecond ?? share, burstLimit }
    : { rateLimit: share, burstLimit: Math.ceil(burstLimit / 2) };
}

/** By who may call, as the endpoint declares it. */
function audienceOf({ access, lambda }: Endpoint): Audience {
  switch (access) {
    case 'operator_secret':
    case 'cron_secret':
      return 'keyed';
    case 'anybody':
    case 'session':
      return lambda.reservation === 'links' ? 'links' : 'strangers';
    default:
      return access.key === 'optional' ? 'links' : 'keyed';
  }
}

/** The audience of each route, by route key, for example `GET /docs`; `$default` among them. */
export const routeAudiences: ReadonlyMap<string, Audience> = new Map([
  ...routes.map(({ key, functionName }): [string, Audience] => [
    key,
    audienceOf(endpointOf(functionName)),
  ]),
  ['$default', 'strangers'],
]);
