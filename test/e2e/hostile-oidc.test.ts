import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { setEnvironment } from '../../infra/local/environment.ts';
import { roleRulesFor } from '../../infra/local/issuer.ts';
import { type Lie, startHostileIssuer } from '../support/hostile-issuer.ts';
import { openBrowser } from '../support/issuer-browser.ts';
import { useTwin } from '../support/twin.ts';

// What is tried against people who sign in with an issuer (OpenID Connect). SECURITY.md names these.

const stack = await useTwin();
const { baseUrl, organizationId } = stack;
const clientId = 'console';
const issuer = await startHostileIssuer(clientId);
afterAll(issuer.stop);
const { said } = issuer;
// The functions read it at their first request.
afterAll(
  setEnvironment({
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: clientId,
    OIDC_ROLES: JSON.stringify([
      ...roleRulesFor(organizationId),
      { claim: 'email', value: '*@boss.example', organizationId, role: 'admin' },
    ]),
  }),
);

const problem = { headers: { accept: 'application/json' } };

/** Goes to the issuer, and remembers what it was asked. */
async function start(browser = openBrowser(baseUrl), query = '') {
  const response = await browser.go(`/console/oidc/sign-in${query}`, {}, issuer.url);
  const asked = response.url.searchParams;
  said.nonce = asked.get('nonce') ?? '';
  said.lie = {};
  return { browser, asked, state: asked.get('state') ?? '' };
}

const answerWith = (state: string, more: Readonly<Record<string, string>> = {}) =>
  `/console/oidc/callback?${new URLSearchParams({ code: 'a code', state, iss: issuer.url, ...more })}`;

const toConsole = `${baseUrl}/console/sign-in`;

/** The whole way, with an issuer that lies. */
async function signIn(lie: Lie = {}, browser = openBrowser(baseUrl), query = '') {
  const { state } = await start(browser, query);
  said.lie = lie;
  const visit = await browser.go(answerWith(state), problem, toConsole);
  const { status } = visit;
  return { status, browser, location: visit.url, code: status === 302 ? undefined : codeOf(visit) };
}

const codeOf = ({ text }: { readonly text: string }): unknown => JSON.parse(text).code;

const sessionOf = async (browser: ReturnType<typeof openBrowser>) =>
  (await browser.call('GET', '/console/session')).json;

const peopleIn = z.object({ data: z.array(z.object({ id: z.string(), email: z.string() })) });
const organizationShape = z.object({
  organization: z.object({ id: z.string() }),
  apiKey: z.object({ key: z.string() }),
});

async function asManager(method: string, path: string, body?: unknown, key = stack.manageKey) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

async function newOrganization() {
  const response = await fetch(`${baseUrl}/api/v1/organizations`, {
    method: 'POST',
    headers: { 'x-operator-secret': stack.operatorSecret, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Other Ltd' }),
  });
  const made: unknown = await response.json();
  const found = organizationShape.safeParse(made);
  if (!found.success) throw new Error(`No organization: ${JSON.stringify(made)}`);
  const { organization, apiKey } = found.data;
  return { id: organization.id, key: apiKey.key };
}

const seconds = () => Math.floor(Date.now() / 1_000);

describe('a browser that comes back from the issuer', () => {
  it('signs nobody in without the cookie of the browser that asked, or with another’s (login CSRF)', async () => {
    const attacker = await start();
    const [victim, asked] = [openBrowser(baseUrl), await start()];

    const without = await victim.go(answerWith(attacker.state), problem);
    const other = await asked.browser.go(answerWith(attacker.state), problem);
    victim.jar.set('oidc', `k1.${Buffer.from('{}').toString('base64url')}.${'a'.repeat(22)}`);
    const forged = await victim.go(answerWith(attacker.state), problem);

    expect([without, other, forged].map(codeOf)).toEqual(Array(3).fill('oidc_sign_in_failed'));
    expect(victim.jar.has('session')).toBe(false);
    expect(said.requests).toEqual([]);
  });

  it('is refused with an answer of another issuer, or of none (mix-up)', async () => {
    const { browser, state } = await start();

    const other = await browser.go(answerWith(state, { iss: 'https://evil.example' }), problem);
    const nameless = await browser.go(`/console/oidc/callback?code=a&state=${state}`, problem);

    expect([other, nameless].map(codeOf)).toEqual(Array(2).fill('oidc_sign_in_failed'));
    expect(said.requests).toEqual([]);
  });

  it('proves with PKCE and the nonce that the code is its own: a stolen one is of no use elsewhere', async () => {
    const victim = await start();
    const { asked } = victim;
    const thief = await start();
    said.nonce = asked.get('nonce') ?? '';

    const answer = await thief.browser.go(answerWith(thief.state), problem);

    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(codeOf(answer)).toBe('oidc_sign_in_failed');
    const [sent] = said.requests.splice(0);
    expect(sent?.get('code_verifier')).toMatch(/^[a-z2-7]{52}$/);
    expect(thief.asked.get('code_challenge')).not.toBe(asked.get('code_challenge'));
  });

  it('is refused a code that was used, and can’t reuse a state for another answer', async () => {
    const { browser, state } = await start();
    await browser.go(answerWith(state), problem, toConsole);
    said.lie = { status: 400 };

    const again = await browser.go(answerWith(state), problem);
    const other = await (await start()).browser.go(answerWith(state), problem);

    expect([again, other].map(codeOf)).toEqual(Array(2).fill('oidc_sign_in_failed'));
  });

  it('sees no words of the issuer on the page', async () => {
    const { browser, state } = await start();
    const words = { error: 'access_denied', error_description: '<b>Call 555-0100</b>' };
    const query = new URLSearchParams({ ...words, state, iss: issuer.url });

    const page = await browser.go(`/console/oidc/callback?${query}`, {
      headers: { accept: 'text/html' },
    });

    expect(page).toMatchObject({ status: 403, text: expect.stringContaining('Sign-in failed') });
    expect(page.text).not.toContain('555');
  });

  it('goes to pages of the console only (open redirect)', async () => {
    const lures = [
      ...['https://evil.example', '//evil.example', '/\\evil.example', '/console\\@evil.example'],
      ...['/console/../t/c/x', '/console/%2e%2e/t', '/consoles', 'javascript:alert(1)'],
      ...['/console/oidc/sign-out', '@evil.example', '/console//evil.example/..//'],
    ];

    const targets: (string | null)[] = [];
    for (const lure of lures) {
      const { location } = await signIn({}, undefined, `?to=${encodeURIComponent(lure)}`);
      targets.push(location.origin === baseUrl ? location.searchParams.get('to') : location.href);
    }

    expect(targets).toEqual(lures.map(() => '/console'));
  });
});

describe('a token', () => {
  const lies: Readonly<Record<string, Lie>> = {
    'for another audience': { claims: { aud: 'another client' } },
    'for several, and handed out to another': {
      claims: { aud: [clientId, 'another'], azp: 'another' },
    },
    'of another issuer': { claims: { iss: 'https://evil.example' } },
    'that isn’t signed (alg: none)': { algorithm: 'none' },
    'signed with the public key as a secret': { algorithm: 'HS256' },
    'signed with a key that the issuer doesn’t have': { isForged: true },
    'with another nonce': { claims: { nonce: 'another' } },
    'without a nonce': { claims: { nonce: undefined } },
    'that has expired': { claims: { exp: seconds() - 120, iat: seconds() - 600 } },
    'that names nobody': { claims: { sub: undefined } },
  };

  it.each(Object.entries(lies))('%s signs nobody in', async (_, lie) => {
    const { status, code, browser } = await signIn(lie);

    expect({ status, code }).toEqual({ status: 403, code: 'oidc_sign_in_failed' });
    expect(browser.jar.has('session')).toBe(false);
  });

  it('that says who signed in long ago doesn’t pass for a recent sign-in', async () => {
    const claims = { auth_time: seconds() - 3_600, groups: ['email-admin'] };
    const asked = await signIn({ claims }, undefined, '?fresh=1');
    const silent = await signIn({ claims: { groups: ['email-admin'] } }, undefined, '?fresh=1');
    const usual = await signIn({ claims });

    const invitation = { email: 'friend@example.com', role: 'admin' };
    const invited = await usual.browser.call('POST', '/api/v1/people', invitation);

    expect([asked.code, silent.code]).toEqual(Array(2).fill('oidc_sign_in_failed'));
    expect(invited).toMatchObject({ status: 403, json: { code: 'recent_sign_in_required' } });
  });
});

describe('a claim', () => {
  it('of an address that isn’t verified opens nothing', async () => {
    const claims = { groups: ['email-admin'], email: 'victim@example.com' };

    const denied = await signIn({ claims: { ...claims, email_verified: false } });
    const text = await signIn({ claims: { ...claims, email_verified: 'false' } });
    const missing = await signIn({ claims: { ...claims, email: undefined } });

    expect([denied, text, missing].map(({ code }) => code)).toEqual(
      Array(3).fill('oidc_email_not_verified'),
    );
  });

  it('of an address alone opens nothing of its owner if the issuer doesn’t say that it’s verified', async () => {
    const owner = { sub: 'olga', email: 'olga@boss.example', groups: ['email-admin'] };
    await signIn({ claims: owner });
    const thief = { ...owner, sub: 'thief', email_verified: undefined };

    const named = await signIn({ claims: thief });
    const byAddress = await signIn({ claims: { ...thief, groups: [] } });
    const invited = await signIn({ claims: { ...thief, email: 'x@boss.example', groups: [] } });

    expect([named, byAddress, invited].map(({ code }) => code)).toEqual(
      Array(3).fill('oidc_no_access'),
    );
  });

  it('of an address alone adds no passkey to its owner’s, and switches nowhere that the owner was invited', async () => {
    const email = 'rita@example.com';
    await asManager('POST', '/api/v1/people', { email, role: 'admin' });
    const other = await newOrganization();
    await asManager('POST', '/api/v1/people', { email, role: 'admin' }, other.key);
    const removed = await asManager('GET', '/api/v1/people?limit=100');
    const own = peopleIn.parse(removed).data.find((one) => one.email === email);
    await asManager('DELETE', `/api/v1/people/${own?.id}`);
    // Now the address is invited by the other organization only, and the claims name this one.
    const claims = { sub: 'not rita', email, email_verified: undefined, groups: ['email-viewer'] };

    const { browser } = await signIn({ claims });
    const { call } = browser;

    expect(await sessionOf(browser)).toMatchObject({ person: { email, role: 'viewer' } });
    const answers = [
      await call('POST', '/console/passkeys/options'),
      await call('GET', '/console/passkeys'),
      await call('POST', '/console/session/switch', { organizationId: other.id }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 404]);
    expect((await call('GET', '/console/organizations')).json).toMatchObject({
      data: [{ id: organizationId }],
    });
  });

  it('of another account ends what the one before has open, before it gets the role', async () => {
    const email = 'sam@example.com';
    const first = { sub: 'sam', email, groups: ['email-viewer'] };
    const before = await signIn({ claims: first });

    const after = await signIn({ claims: { ...first, sub: 'sam 2', groups: ['email-admin'] } });
    const token = await issuer.logoutToken({ sub: 'sam' });
    const body = new URLSearchParams({ logout_token: token });
    await openBrowser(baseUrl).go('/console/oidc/logout', { method: 'POST', body });

    expect(await sessionOf(before.browser)).toMatchObject({ code: 'invalid_api_key' });
    expect(await sessionOf(after.browser)).toMatchObject({ person: { role: 'admin' } });
  });

  it('promotes nobody unless a rule names it', async () => {
    const claims = {
      ...{ sub: 'pat', email: 'pat@example.com', groups: ['email-viewer', 'admin', 'EMAIL-ADMIN'] },
      ...{ role: 'admin', roles: ['email-admin'], 'groups.0': 'email-admin' },
      ...{ organizationId, scopes: ['manage_organization'], __proto__: { groups: 'email-admin' } },
    };

    const { browser } = await signIn({ claims });

    expect(await sessionOf(browser)).toMatchObject({ person: { role: 'viewer' } });
  });

  it('opens nothing of somebody whom the issuer no longer names, not even by a mailed link', async () => {
    const claims = { sub: 'quinn', email: 'quinn@example.com', groups: ['email-support'] };
    const { browser } = await signIn({ claims });
    const asked = await browser.call('POST', '/console/sign-in', { email: claims.email });

    const { code } = await signIn({ claims: { ...claims, groups: [] } });

    expect(asked.status).toBe(202);
    expect(code).toBe('oidc_no_access');
    expect(await sessionOf(browser)).toMatchObject({ code: 'invalid_api_key' });
  });
});

describe('a session', () => {
  it('is a new one after each sign-in, whatever the browser had (session fixation)', async () => {
    const planted = await signIn();
    const fixed = planted.browser.jar.get('session') ?? '';
    const victim = openBrowser(baseUrl);
    victim.jar.set('session', fixed);

    await signIn({}, victim);

    const own = victim.jar.get('session');
    expect(own).toMatch(/^ess_/);
    expect(own).not.toBe(fixed);
    expect(await sessionOf(planted.browser)).toMatchObject({ code: 'invalid_api_key' });
  });
});

describe('a logout token', () => {
  const logOut = async (token: string) => {
    const response = await fetch(`${baseUrl}/console/oidc/logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    });
    return response.status;
  };
  const events = { 'http://schemas.openid.net/event/something-else': {} };

  it('that is forged, old or something else ends no session', async () => {
    const { browser } = await signIn({ claims: { sid: 'here' } });
    const lies = [
      issuer.logoutToken({ nonce: 'a nonce' }),
      issuer.logoutToken({ aud: 'another client' }),
      issuer.logoutToken({ iss: 'https://evil.example' }),
      issuer.logoutToken({}, { algorithm: 'none' }),
      issuer.logoutToken({}, { algorithm: 'HS256' }),
      issuer.logoutToken({}, { isForged: true }),
      issuer.logoutToken({ events }),
      issuer.logoutToken({ events: undefined }),
      issuer.logoutToken({ iat: seconds() - 3_600, exp: undefined }),
      issuer.logoutToken({ exp: seconds() - 120 }),
      issuer.logoutToken({ sub: undefined }),
      issuer.logoutToken({ jti: undefined }),
      issuer.idToken({}),
      '',
      'x.y.z',
    ];

    const statuses = await Promise.all(lies.map(async (lie) => logOut(await lie)));

    expect(statuses).toEqual(lies.map(() => 400));
    expect(await sessionOf(browser)).toMatchObject({ isFromIssuer: true });
  });

  it('ends what it names and nothing else, and does no harm when it comes again', async () => {
    const own = { sub: 'rob', email: 'rob@example.com' };
    const { browser } = await signIn({ claims: { ...own, sid: 'laptop' } });
    const phone = await signIn({ claims: { ...own, sid: 'phone' } });
    const other = await signIn({ claims: { sub: 'sue', email: 'sue@example.com' } });
    const token = await issuer.logoutToken({ sub: 'rob', sid: 'laptop' });

    const first = await logOut(token);
    const again = await logOut(token);
    const rest = await Promise.all([phone, other].map((one) => sessionOf(one.browser)));
    const unknown = await logOut(await issuer.logoutToken({ sub: 'nobody' }));
    await logOut(await issuer.logoutToken({ sub: 'rob' }));

    expect([first, again, unknown]).toEqual([200, 200, 200]);
    expect(await sessionOf(browser)).toMatchObject({ code: 'invalid_api_key' });
    expect(rest).toMatchObject([{ isFromIssuer: true }, { isFromIssuer: true }]);
    expect(await sessionOf(phone.browser)).toMatchObject({ code: 'invalid_api_key' });
    expect(await sessionOf(other.browser)).toMatchObject({ isFromIssuer: true });
  });
});
