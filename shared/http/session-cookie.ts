import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { parseEnvironment } from '#shared/config/environment';
import { sessionEnvironment } from '#shared/config/session-environment';

/** Read anew each time, and only when there is a cookie: few requests have one. */
const isPlainHttp = (): boolean => parseEnvironment(sessionEnvironment).PLAIN_HTTP_SESSIONS;

/**
 * `__Host-` binds the cookie to this very host over TLS: no neighbour under the same domain can put one of its
 * own in its place (RFC 6265bis, "The __Host- Prefix"). Without TLS a browser takes no such name.
 */
const cookieName = (): string => (isPlainHttp() ? 'session' : '__Host-session');

/** The `Set-Cookie` that gives a browser a session. No script can read it, and no other site can use it. */
export const sessionCookie = (text: string, expiresAt: number, now: number): string =>
  setCookie(text, Math.max(0, Math.floor((expiresAt - now) / 1_000)));

/** The `Set-Cookie` that takes it away. */
export const noSessionCookie = (): string => setCookie('', 0);

const setCookie = (value: string, seconds: number): string =>
  [
    `${cookieName()}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isPlainHttp() ? [] : ['Secure']),
  ].join('; ');

/** The session in a `Cookie` header. Anything else that stands there, a key above all, is none. */
export function sessionIn(cookies: string | undefined): string | undefined {
  if (cookies === undefined) return undefined;
  const start = `${cookieName()}=`;
  const found = cookies.split(/;\s*/).find((cookie) => cookie.startsWith(start));
  const text = found?.slice(start.length);
  return text?.startsWith('ess_') ? text : undefined;
}

type Event = Pick<APIGatewayProxyEventV2, 'cookies' | 'headers' | 'requestContext'>;

/**
 * The cookies of a request, as a `Cookie` header has them, if it may act by them: a browser sends them by itself,
 * so whatever may change something must come from a page of this service, as its `Origin` says. Browsers send
 * that with every request but GET and HEAD (Fetch standard, "Origin header"), and no page can forge it.
 */
export function cookiesThatCount({
  cookies = [],
  headers,
  requestContext,
}: Event): string | undefined {
  if (cookies.length === 0) return undefined;
  const onlyReads = ['GET', 'HEAD'].includes(requestContext.http.method);
  const own = `${isPlainHttp() ? 'http' : 'https'}://${headers['host']}`;
  return onlyReads || headers['origin'] === own ? cookies.join('; ') : undefined;
}
