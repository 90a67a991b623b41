import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isPlainHttp } from './session-cookie.ts';

type Event = Pick<APIGatewayProxyEventV2, 'cookies' | 'headers' | 'requestContext'>;

/**
 * Browsers send cookies automatically, so a request that may change something must come from a page of this service, by
 * browser headers that no page can forge.
 */
export function cookiesThatCount({
  cookies = [],
  headers,
  requestContext,
}: Event): string | undefined {
  if (cookies.length === 0) return undefined;
  const onlyReads = ['GET', 'HEAD'].includes(requestContext.http.method);
  return onlyReads || isOfThisOrigin(headers) ? cookies.join('; ') : undefined;
}

/**
 * Browsers send `Origin` with every request but GET and HEAD (Fetch standard, "Origin header"). Behind a proxy with a
 * different address, `Sec-Fetch-Site` says that the origin is the same (Fetch Metadata Request Headers §2.3). Pages
 * that suppress referrers have the origin `null`: those behind email links act by token alone.
 */
function isOfThisOrigin({
  host,
  origin = 'null',
  'sec-fetch-site': site,
}: Event['headers']): boolean {
  if (origin === 'null') return false;
  return site === 'same-origin' || origin === `${isPlainHttp() ? 'http' : 'https'}://${host}`;
}
