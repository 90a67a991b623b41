import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { parseEnvironment, sessionEnvironment } from '#shared/config/environment';

// How long a session lasts: `access/sign-in.ts`.

const isPlainHttp = (): boolean => parseEnvironment(sessionEnvironment).PLAIN_HTTP_SESSIONS;

/**
 * `__Host-` binds the cookie to this host over TLS (RFC 6265bis, "The __Host- Prefix"). Browsers refuse the name
 * without TLS.
 */
type CookieName = 'session' | 'sign-in' | 'oidc';

const cookieName = (name: CookieName): string => (isPlainHttp() ? name : `__Host-${name}`);

/** Hidden from scripts and other sites. */
export const sessionCookie = (text: string, expiresAt: number, now: number): string =>
  setCookie('session', text, maxAgeUntil(expiresAt, now));

/** For an operator who has entered an organization: their own session waits behind the other, which alone counts. */
export const sessionCookieBefore = (
  text: string,
  waiting: { readonly text: string; readonly expiresAt: number },
  now: number,
): string => sessionCookie(`${text}.${waiting.text}`, waiting.expiresAt, now);

export const noSessionCookie = (): string => setCookie('session', '', 0);

/** Names the browser that asked for a sign-in link or a passkey challenge, for as long as either works. */
export const signInCookie = (browser: string, expiresAt: number, now: number): string =>
  setCookie('sign-in', browser, maxAgeUntil(expiresAt, now));

/** What the browser needs when it comes back from the issuer. `Lax`, because another site sends it back. */
export const oidcCookie = (sealed: string, expiresAt: number, now: number): string =>
  setCookie('oidc', sealed, maxAgeUntil(expiresAt, now), 'Lax');

const maxAgeUntil = (end: number, now: number): number =>
  Math.max(0, Math.floor((end - now) / 1_000));

const setCookie = (
  name: CookieName,
  value: string,
  seconds: number,
  sameSite: 'Strict' | 'Lax' = 'Strict',
): string =>
  [
    `${cookieName(name)}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(isPlainHttp() ? [] : ['Secure']),
  ].join('; ');

/** Anything else in the cookie, especially a key, is ignored. */
export const sessionIn = (cookies: string | undefined): string | undefined =>
  sessionsIn(cookies)[0];

/** The operator's own session, while they are in an organization. */
export const waitingSessionIn = (cookies: string | undefined): string | undefined =>
  sessionsIn(cookies)[1];

function sessionsIn(cookies: string | undefined): readonly string[] {
  const texts = cookieIn(cookies, 'session')?.split('.') ?? [];
  return texts.every((text) => text.startsWith('ess_')) ? texts : [];
}

/** Only as the service makes them. */
export function signInBrowserIn(cookies: string | undefined): string | undefined {
  const browser = cookieIn(cookies, 'sign-in');
  return browser !== undefined && /^[a-z2-7]{32}$/.test(browser) ? browser : undefined;
}

export const oidcStateIn = (cookies: string | undefined): string | undefined =>
  cookieIn(cookies, 'oidc');

function cookieIn(cookies: string | undefined, name: CookieName): string | undefined {
  if (cookies === undefined) return undefined;
  const start = `${cookieName(name)}=`;
  const found = cookies.split(/;\s*/).find((cookie) => cookie.startsWith(start));
  return found?.slice(start.length);
}

type Event = Pick<APIGatewayProxyEventV2, 'cookies' | 'headers' | 'requestContext'>;

/**
 * Browsers send cookies automatically. So a request that may change something must come from a page of this service,
 * which is judged by browser headers that no page can forge.
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
