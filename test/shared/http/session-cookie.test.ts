import { beforeEach, describe, expect, it, vi } from 'vitest';
import { presentedCredential } from '#shared/http/credential';
import { httpEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { noSessionCookie, sessionCookie } from '#shared/http/session-cookie';
import { buildHttpEvent } from '../../support/http-event-builder.ts';
import { lambdaContext } from '../../support/lambda-context.ts';

beforeEach(() => {
  vi.stubEnv('PLAIN_HTTP_SESSIONS', undefined);
});

const text = 'ess_text';

/** What an endpoint takes for the credential of a request with these cookies. */
async function credentialOf(
  method: string,
  headers: Readonly<Record<string, string>>,
  cookies: string[] = [`__Host-session=${text}`],
): Promise<unknown> {
  const endpoint = httpEndpoint(async (request) =>
    jsonResponse({ credential: presentedCredential(request.headers) }),
  );
  const event = buildHttpEvent({ headers: { host: 'api.example.com', ...headers }, cookies });
  event.requestContext.http.method = method;
  const { body } = await endpoint(event, lambdaContext());
  return JSON.parse(body).credential;
}

describe('the cookie of a session', () => {
  it('is for this host alone, for no script, and for no other site', () => {
    expect(sessionCookie(text, 43_201_000, 1_000)).toBe(
      '__Host-session=ess_text; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure',
    );
    expect(noSessionCookie()).toBe(
      '__Host-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    );
  });

  it('is without prefix and Secure on plain http', async () => {
    vi.stubEnv('PLAIN_HTTP_SESSIONS', 'true');
    const origin = 'http://api.example.com';

    expect(sessionCookie(text, 60_000, 0)).toBe(
      'session=ess_text; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
    );
    expect(await credentialOf('POST', { origin }, [`session=${text}`])).toBe(text);
  });

  it.each(['GET', 'HEAD'])('counts for a %s from anywhere', async (method) => {
    expect(await credentialOf(method, {})).toBe(text);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'counts for a %s from the own page, and from no other',
    async (method) => {
      const origins = [
        'https://evil.example.com',
        'http://api.example.com',
        'https://api.example.com:8443',
        'https://api.example.com.evil.com',
        'null',
        '',
      ];

      expect(await credentialOf(method, { origin: 'https://api.example.com' })).toBe(text);
      expect(await credentialOf(method, {})).toBeUndefined();
      for (const origin of origins) expect(await credentialOf(method, { origin })).toBeUndefined();
    },
  );

  it('counts for a page behind a proxy that has an address of its own', async () => {
    const origin = 'https://mail.example.com';
    const answers = ['same-origin', 'same-site', 'cross-site', 'none'].map((site) =>
      credentialOf('POST', { origin, 'sec-fetch-site': site }),
    );

    expect(await Promise.all(answers)).toEqual([text, undefined, undefined, undefined]);
  });

  it('does not count for a form of the pages behind links, whose origin is hidden', async () => {
    const headers = { origin: 'null', 'sec-fetch-site': 'same-origin' };

    expect(await credentialOf('POST', headers)).toBeUndefined();
  });

  it('counts for less than a key', async () => {
    expect(await credentialOf('GET', { authorization: 'Bearer key-1' })).toBe('key-1');
    expect(await credentialOf('GET', { 'x-api-key': 'key-2' })).toBe('key-2');
  });

  it('is found among others', async () => {
    const cookies = ['a=1', `__Host-session=${text}`, 'b=2'];

    expect(await credentialOf('GET', {}, cookies)).toBe(text);
  });

  it.each(['session=ess_text', '__Host-session=esk_key', '__Host-session=', 'other=1'])(
    '%s is none',
    async (cookie) => {
      expect(await credentialOf('GET', {}, [cookie])).toBeUndefined();
    },
  );

  it('comes from the gateway, and not from a header that somebody sends beside it', async () => {
    expect(await credentialOf('POST', { cookie: `__Host-session=${text}` }, [])).toBeUndefined();
  });
});
