import * as z from 'zod';
import { getApiKey, replaceSignIns } from '#shared/access/api-key-store';
import { newSession } from '#shared/access/sign-in';
import type { Table } from '#shared/table/table-client';
import type { ApiKeyId } from '#shared/tokens/resource-id';
import { openAuthenticator } from './software-authenticator.ts';

const creationSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string() }),
  user: z.object({ id: z.string() }),
});
const requestSchema = z.object({ challenge: z.string(), rpId: z.string() });

type Headers = Readonly<Record<string, string>>;
type Call = { readonly body?: unknown; readonly headers?: Headers };

/**
 * Somebody with an authenticator, over HTTP.
 *
 * @param origin of the service, as browsers see it; default: of the twin.
 */
export function passkeyPerson(baseUrl: string, origin = siteOf(baseUrl)) {
  const authenticator = openAuthenticator(origin);
  const call = async (method: string, path: string, { body, headers = {} }: Call = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json: unknown = text === '' ? undefined : JSON.parse(text);
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    return { status: response.status, json, cookie };
  };
  const withCookie = (...cookies: readonly string[]): Headers => ({
    cookie: cookies.filter((cookie) => cookie !== '').join('; '),
    origin: baseUrl,
  });
  return {
    authenticator,
    call,
    /** @param session its headers */
    askToAdd: async (session: Headers) => {
      const { json } = await call('POST', '/console/passkeys/options', { headers: session });
      return creationSchema.parse(json);
    },
    add: (session: Headers, body: unknown) =>
      call('POST', '/console/passkeys', { headers: session, body }),
    /** The challenge, and the cookie of the browser that asked. */
    ask: async (browser = '') => {
      const headers = withCookie(browser);
      const { json, cookie } = await call('POST', '/console/passkey-sign-in/options', { headers });
      return { options: requestSchema.parse(json), browser: cookie };
    },
    answer: (body: unknown, ...cookies: readonly string[]) =>
      call('POST', '/console/session/passkey', { headers: withCookie(...cookies), body }),
    withCookie,
  };
}

/** Passkeys are for names, not for IP addresses. */
export const siteOf = (baseUrl: string): string => baseUrl.replace('127.0.0.1', 'localhost');

/** The cookie of somebody's open tab, as if they had followed a link that was mailed. */
export async function openSession(table: Table, id: ApiKeyId, at = Date.now()): Promise<string> {
  const found = await getApiKey(table, id);
  if (found === undefined) throw new Error('There is no such person');
  const { text, signIn } = newSession(found.apiKey, { by: 'mail' }, at);
  await replaceSignIns(table, found.apiKey, [...(found.apiKey.signIns ?? []), signIn]);
  return `session=${text}`;
}
