import type { Endpoint } from '#shared/endpoints/endpoint';
import { endpointOf, routes } from '../../functions/routes.ts';
import type { Settings } from '../settings/declaration.ts';

export type Throttle = { readonly rateLimit: number; readonly burstLimit: number };

/** All APIs of an account and Region share 10,000 a second: one route may take a tenth. */
const maxRequestsPerSecond = 1_000;
/**
 * What a bucket holds in the smallest Regions, for all APIs of the account (API Gateway guide, "Amazon API Gateway
 * quotas": 2,500 a second and 1,250 at once in Milan, Zurich, Jakarta and others). More would be taken back there.
 */
const maxAtOnce = 1_250;
/** Requests a second that Lambda allows per concurrent execution (Lambda guide, "Quotas"). */
const requestsPerExecution = 10;

export type Rates = Pick<Settings, 'lambdaConcurrency'> &
  Partial<Pick<Settings, 'apiRequestsPerSecond' | 'apiBurst' | 'linkRequestsPerSecond'>>;

/** Applies to each route that sends. Scales with the account's concurrency. */
export const defaultThrottleOf = ({
  apiRequestsPerSecond,
  apiBurst,
  lambdaConcurrency,
}: Rates): Throttle => ({
  rateLimit:
    apiRequestsPerSecond ??
    Math.min(requestsPerExecution * lambdaConcurrency, maxRequestsPerSecond),
  burstLimit: apiBurst ?? Math.min(2 * lambdaConcurrency, maxAtOnce),
});

/**
 * - `sending`: programs send with these, as fast as the account allows. The stage's default.
 * - `managing`: all other routes with a key, a session or a secret. There are ten times as many, and anyone can ask each
 *   of them with a made-up key, for an invocation and a read.
 * - `links`: recipients come here with every email, or programs whose key is optional.
 * - `strangers`: public, but rarely used: documents, the console's files, unknown paths.
 * - `signingIn`: each way in or out of the console takes a few of these, which mustn't slow its files down.
 */
type Audience = 'sending' | 'managing' | 'links' | 'strangers' | 'signingIn';

/**
 * Per route, as a fraction of a sending route's rate. Resend itself allows a team two requests a second on all routes.
 */
const managingPart = 1 / 20;
const signingInPart = 1 / 100;

/** The total for an audience, as a multiple of a sending route's rate. Its routes share it equally. */
const shares = { links: 1.2, strangers: 0.3 } as const;

/** `undefined` means the default. The totals for links and for strangers don't grow with their routes. */
export function throttleOf(audience: Audience, settings: Rates): Throttle | undefined {
  const { rateLimit, burstLimit } = defaultThrottleOf(settings);
  if (audience === 'sending') return undefined;
  if (audience === 'managing') {
    return { rateLimit: Math.ceil(rateLimit * managingPart), burstLimit };
  }
  if (audience === 'signingIn') {
    const own = Math.max(1, Math.floor(rateLimit * signingInPart));
    return { rateLimit: own, burstLimit: Math.ceil(burstLimit / 2) };
  }
  const routesOfAudience = [...routeAudiences.values()].filter((one) => one === audience).length;
  const share = Math.max(1, Math.floor((rateLimit * shares[audience]) / routesOfAudience));
  return audience === 'links'
    ? // CloudFront retries a 503, which takes another token.
      { rateLimit: settings.linkRequestsPerSecond ?? share, burstLimit: 2 * burstLimit }
    : { rateLimit: share, burstLimit: Math.ceil(burstLimit / 2) };
}

function audienceOf({ access, lambda }: Endpoint): Audience {
  switch (access) {
    case 'operator':
    case 'cron_secret':
    case 'session':
      return 'managing';
    case 'anybody':
      if (lambda.stack === 'Console' && lambda.builtFile === undefined) return 'signingIn';
      return lambda.reservation === 'links' ? 'links' : 'strangers';
    default:
      return access.key === 'optional' ? 'links' : isForSending(lambda) ? 'sending' : 'managing';
  }
}

const isForSending = ({ sendsEmail, isAskedPerEmail }: Endpoint['lambda']): boolean =>
  sendsEmail === true || isAskedPerEmail === true;

/** By route key, such as `GET /docs` or `$default`. */
export const routeAudiences: ReadonlyMap<string, Audience> = new Map([
  ...routes.map(({ key, functionName }): [string, Audience] => [
    key,
    audienceOf(endpointOf(functionName)),
  ]),
  ['$default', 'strangers'],
]);
