import { parseEnvironment, sessionEnvironment } from '#shared/config/environment';

// How long a session lasts: `access/sign-in.ts`.

export const isPlainHttp = (): boolean => parseEnvironment(sessionEnvironment).PLAIN_HTTP_SESSIONS;

/**
 * `__Host-` binds the cookie to this host over TLS (RFC 6265bis, "The __Host- Prefix"). Browsers refuse the name
 * without TLS.
 */
const cookieName = (): string => (isPlainHttp() ? 'session' : '__Host-session');

/** Hidden from scripts and other sites. */
export const sessionCookie = (text: string, expiresAt: number, now: number): string =>
  setCookie(text, Math.max(0, Math.floor((expiresAt - now) / 1_000)));

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

/** Anything else in the cookie, especially a key, is ignored. */
export function sessionIn(cookies: string | undefined): string | undefined {
  if (cookies === undefined) return undefined;
  const start = `${cookieName()}=`;
  const found = cookies.split(/;\s*/).find((cookie) => cookie.startsWith(start));
  const text = found?.slice(start.length);
  return text?.startsWith('ess_') ? text : undefined;
}
