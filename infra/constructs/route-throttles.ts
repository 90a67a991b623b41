import type { Endpoint } from '#shared/endpoints/endpoint';
import { endpointOf, routes } from '../../functions/routes.ts';
import type { Settings } from '../settings/declaration.ts';

type Throttle = { readonly rateLimit: number; readonly burstLimit: number };

/** All APIs of an account and Region share 10,000 a second. Far below that, this one can't starve the others. */
const mostRequestsPerSecond = 1_000;
/** Requests a second that Lambda allows per concurrent execution (Lambda guide, "Quotas"). */
const requestsPerExecution = 10;

type Rates = Pick<
  Settings,
  'apiRequestsPerSecond' | 'apiBurst' | 'linkRequestsPerSecond' | 'lambdaConcurrency'
>;

/** Applies to each route that needs a key or a secret. Scales with the account's concurrency. */
export const defaultThrottleOf = ({
  apiRequestsPerSecond,
  apiBurst,
  lambdaConcurrency,
}: Rates): Throttle => ({
  rateLimit:
    apiRequestsPerSecond ??
    Math.min(requestsPerExecution * lambdaConcurrency, mostRequestsPerSecond),
  burstLimit: apiBurst ?? Math.min(2 * lambdaConcurrency, 2 * mostRequestsPerSecond),
});

/**
 * - `keyed`: strangers get 401 for one read at most. The default.
 * - `links`: recipients come here with every email, or programs whose key is optional.
 * - `strangers`: anyone may come here, but few do: documents, the console's files, unknown paths.
 */
type Audience = 'keyed' | 'links' | 'strangers';

/** The total for an audience, as a multiple of a keyed route's rate. Its routes share it equally. */
const shares = { links: 1.2, strangers: 0.3 } as const;

/** `undefined` means the default. The total for routes without a key doesn't grow with their number. */
export function throttleOf(audience: Audience, settings: Rates): Throttle | undefined {
  const { rateLimit, burstLimit } = defaultThrottleOf(settings);
  if (audience === 'keyed') return undefined;
  const routesOfAudience = [...routeAudiences.values()].filter((one) => one === audience).length;
  const share = Math.max(1, Math.floor((rateLimit * shares[audience]) / routesOfAudience));
  return audience === 'links'
    ? { rateLimit: settings.linkRequestsPerSecond ?? share, burstLimit }
    : { rateLimit: share, burstLimit: Math.ceil(burstLimit / 2) };
}

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

/** By route key, such as `GET /docs` or `$default`. */
export const routeAudiences: ReadonlyMap<string, Audience> = new Map([
  ...routes.map(({ key, functionName }): [string, Audience] => [
    key,
    audienceOf(endpointOf(functionName)),
  ]),
  ['$default', 'strangers'],
]);
