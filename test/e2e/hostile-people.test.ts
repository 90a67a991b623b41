import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { getApiKey, replaceSignIns } from '#shared/access/api-key-store';
import { mailedLinkText, newCredential, readCredential } from '#shared/access/credential-text';
import type { Role } from '#shared/access/roles';
import { keyShownMs } from '#shared/access/sign-in';
import { openTable } from '#shared/table/table-client';
import { randomBase32 } from '#shared/tokens/base32';
import { type ApiKeyId, apiKeyIdSchema } from '#shared/tokens/resource-id';
import { readInbox } from '../support/mailbox-inbox.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

// What strangers and former colleagues try against people who sign in by email. SECURITY.md names these.

const stack = await useTwin();
const { baseUrl, inboxUrl, manageKey } = stack;
const table = openTable(stack.tableName);

type Call = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

async function call(method: string, path: string, { body, headers }: Call = {}) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, json };
}

const asManager = { authorization: `Bearer ${manageKey}` };
const withCookie = (cookie: string) => ({ cookie, origin: baseUrl });
const cookieOf = ({ headers }: { readonly headers: Headers }): string =>
  headers.get('set-cookie')?.split(';')[0] ?? 'no cookie';

/** Everybody has an address of their own: ten links an hour are mailed to one. */
async function invite(name: string, role: Role = 'support', headers = asManager) {
  const email = `${name}@people.example`;
  const { json } = await call('POST', '/api/v1/people', { headers, body: { email, role } });
  return { email, id: apiKeyIdSchema.parse(z.object({ id: z.string() }).parse(json).id) };
}

const mailTo = async (email: string) =>
  (await readInbox(inboxUrl)).filter(({ destination }) => destination.to.includes(email));

const linksTo = async (email: string): Promise<readonly string[]> =>
  (await mailTo(email)).flatMap(
    ({ body }) => /\/console\/sign-in#(\S+)/.exec(body.text ?? '')?.[1] ?? [],
  );

const ask = (email: string, headers = {}) =>
  call('POST', '/console/sign-in', { headers, body: { email } });

/** What one who reads the mailbox gets: the link, and the cookie of the browser that asked. */
async function askForLink(email: string) {
  const { length } = await linksTo(email);
  const cookie = cookieOf(await ask(email));
  await vi.waitUntil(async () => (await linksTo(email)).length > length, patience);
  const link = (await linksTo(email)).at(-1) ?? '';
  return { link, cookie };
}

const follow = (link: string, cookie?: string) =>
  call('POST', '/console/session', {
    body: { link },
    headers: cookie === undefined ? {} : withCookie(cookie),
  });

/** The headers of somebody's open tab. */
async function signIn(email: string) {
  const { link, cookie } = await askForLink(email);
  return withCookie(cookieOf(await follow(link, cookie)));
}

describe('a forwarded invitation', () => {
  it('has no secret: only the mailbox that was invited gets a link', async () => {
    const { email } = await invite('ann');
    await vi.waitUntil(async () => (await mailTo(email)).length > 0, patience);
    const [invitation] = await mailTo(email);
    const friend = 'friend@people.example';

    await ask(friend);
    await askForLink(email);

    expect(invitation?.body.text).toContain(`${baseUrl}/console\n`);
    expect(invitation?.body.text).not.toMatch(/es[kls]_|#/);
    // The other's link, which was asked for later, has arrived.
    expect(await mailTo(friend)).toEqual([]);
  });
});

describe('a stolen sign-in link', () => {
  it('signs nobody in from another browser, whatever its cookie, and still works in its own', async () => {
    const { link, cookie } = await askForLink((await invite('ben')).email);
    const [name = '', browser = ''] = cookie.split('=');
    const others = [
      undefined,
      `${name}=`,
      `${name}=${browser.slice(1)}a`,
      // What a copy of the table has.
      `${name}=${createHash('sha256').update(browser).digest('hex')}`,
      cookieOf(await ask('somebody@people.example')),
    ];

    const answers = await Promise.all(others.map((other) => follow(link, other)));
    const own = await follow(link, cookie);

    expect(answers.map(({ json }) => json)).toMatchObject(
      others.map(() => ({ status: 403, code: 'other_browser' })),
    );
    expect(answers.map(({ headers }) => headers.get('set-cookie'))).toEqual(others.map(() => null));
    expect(own.status).toBe(204);
  });

  it('works once, even in the browser that asked', async () => {
    const { link, cookie } = await askForLink((await invite('cleo')).email);

    const [first, second] = [await follow(link, cookie), await follow(link, cookie)];

    expect(first.status).toBe(204);
    expect(second).toMatchObject({ status: 404, json: { code: 'link_not_found' } });
  });

  it('opens no other organization, even if that invited the same address', async () => {
    const { email } = await invite('dan');
    const { json } = await call('POST', '/api/v1/organizations', {
      headers: { 'x-operator-secret': stack.operatorSecret },
      body: { name: 'Other Ltd' },
    });
    const { key } = z.object({ apiKey: z.object({ key: z.string() }) }).parse(json).apiKey;
    const { link, cookie } = await askForLink(email);
    const other = await invite('dan', 'admin', { authorization: `Bearer ${key}` });
    const [, id = '', secret = ''] = link.split('_');

    const altered = await follow(
      mailedLinkText(randomBase32(32), secret.slice(0, 32)).text,
      cookie,
    );
    const ofKey = await follow(newCredential('link', other.id).text, cookie);
    const guessed = await follow(mailedLinkText(id, randomBase32(32)).text, cookie);
    const headers = withCookie(cookieOf(await follow(link, cookie)));
    const session = await call('GET', '/console/session', { headers });

    expect([altered, ofKey, guessed]).toMatchObject(
      [1, 2, 3].map(() => ({ status: 404, json: { code: 'link_not_found' } })),
    );
    expect(session.json).toMatchObject({
      organization: { id: stack.organizationId },
      person: { role: 'support' },
    });
  });
});

describe('a stranger who types an address', () => {
  const volatile = new Set(['date', 'x-request-id', 'apigw-requestid']);
  /** All that they see, but for what differs in any two answers. */
  async function seenBy(email: string) {
    const { status, json, headers } = await ask(email);
    const shown = [...headers].filter(([name]) => !volatile.has(name));
    const masked = shown.map(([name, value]) => [name, value.replace(/=[a-z2-7]{32};/, '=…;')]);
    return { status, json, masked };
  }

  it('sees the same answer whether or not somebody was invited with it', async () => {
    const { email } = await invite('eve');

    const known = await seenBy(email);
    const unknown = await seenBy('nobody@people.example');

    expect(known).toEqual(unknown);
    expect(known).toMatchObject({ status: 202, json: undefined });
    expect(known.masked).toContainEqual([
      'set-cookie',
      expect.stringMatching(/^sign-in=…; .*HttpOnly; SameSite=Strict/),
    ]);
  });

  it('sees the same with ten requests at once, and then has used up its hour', async () => {
    const { email } = await invite('finn');
    const times = Array.from({ length: 11 });

    const known = await Promise.all(times.map(() => seenBy(email)));
    const unknown = await Promise.all(times.map(() => seenBy('no-one@people.example')));

    const statusesOf = (answers: typeof known) => answers.map(({ status }) => status).toSorted();
    expect(statusesOf(known)).toEqual([...Array(10).fill(202), 429]);
    expect(statusesOf(unknown)).toEqual(statusesOf(known));
  });

  it('signs nobody in by the link that they had mailed: its reader is in another browser', async () => {
    const { email } = await invite('gus');
    const stranger = await askForLink(email);

    const reader = await follow(stranger.link);

    expect(reader).toMatchObject({ status: 403, json: { code: 'other_browser' } });
  });
});

describe('a person who is removed, or gets a lower role', () => {
  it('is refused at the next request of an open tab, and can’t use a link that they still have', async () => {
    const { email, id } = await invite('hal', 'admin');
    const tab = await signIn(email);
    const { link, cookie } = await askForLink(email);
    const before = await call('GET', '/api/v1/sends', { headers: tab });

    const removed = await call('DELETE', `/api/v1/people/${id}`, { headers: asManager });
    const reads = await call('GET', '/api/v1/sends', { headers: tab });
    const changes = await call('PUT', '/api/v1/policies/mine', {
      headers: tab,
      body: { kind: 'transactional' },
    });
    const link2 = await follow(link, cookie);
    const { length } = await mailTo(email);
    await ask(email);
    await askForLink((await invite('ida')).email);

    expect([before.status, removed.status]).toEqual([200, 204]);
    expect([reads.status, changes.status, link2.status]).toEqual([401, 401, 404]);
    expect(await mailTo(email)).toHaveLength(length);
  });

  it('loses rights in an open tab as soon as the role is lowered, and can’t raise it', async () => {
    const { email, id } = await invite('jo', 'developer');
    const headers = await signIn(email);
    const create = () =>
      call('POST', '/api/v1/templates', {
        headers,
        body: { name: 'Welcome', subject: 'Hi', content: 'Hi' },
      });
    const before = await create();

    await call('PATCH', `/api/v1/people/${id}`, { headers: asManager, body: { role: 'viewer' } });
    const after = await create();
    const raise = await call('PATCH', `/api/v1/people/${id}`, { headers, body: { role: 'admin' } });

    expect(before.status).toBe(201);
    expect(after).toMatchObject({ status: 403, json: { code: 'missing_scope' } });
    expect(raise).toMatchObject({ status: 403, json: { code: 'missing_scope' } });
  });
});

/** Five minutes, for its sessions. */
async function signedInLongAgo(id: ApiKeyId): Promise<void> {
  const found = await getApiKey(table, id);
  if (found === undefined) throw new Error('There is no such person');
  const { signIns = [] } = found.apiKey;
  const keyShownAt = Date.now() - keyShownMs;
  await replaceSignIns(
    table,
    found.apiKey,
    signIns.map((one) => ({ ...one, keyShownAt })),
  );
}

describe("a person's session, even a copied one", () => {
  it('invites nobody, changes no role and makes no key once its sign-in is five minutes ago', async () => {
    const { email, id } = await invite('kim', 'admin');
    const headers = await signIn(email);
    const asks = [
      ['POST', '/api/v1/people', { email: 'mallory@people.example', role: 'admin' }],
      ['PATCH', `/api/v1/people/${id}`, { role: 'viewer' }],
      ['POST', '/api/v1/api-keys', { name: 'backdoor', scopes: ['manage_organization'] }],
      ['POST', '/api/v1/webhooks', { url: 'https://evil.example/hook' }],
      ['GET', '/api/v1/sends/export'],
    ] as const;
    await signedInLongAgo(id);

    const answers = await Promise.all(
      asks.map(([method, path, body]) => call(method, path, { headers, body })),
    );
    const link = await call('POST', '/console/links', { headers });

    expect(answers.map(({ json }) => json)).toMatchObject(
      asks.map(() => ({ status: 403, code: 'recent_sign_in_required' })),
    );
    expect(link).toMatchObject({ status: 401, json: { code: 'invalid_api_key' } });
  });

  it('is no key: its text works only as the cookie of a page of this service', async () => {
    const headers = await signIn((await invite('lea', 'admin')).email);
    const session = headers.cookie.split('=')[1] ?? '';

    const elsewhere = await call('POST', '/api/v1/categories', {
      headers: { cookie: headers.cookie, origin: 'https://evil.example' },
      body: { key: 'news', name: 'News' },
    });
    const asKey = await call('POST', '/console/session', { body: { key: session } });

    expect(readCredential(session)).toMatchObject({ kind: 'session' });
    expect([elsewhere.status, asKey.status]).toEqual([401, 401]);
  });

  it('ends no session but those of its own person', async () => {
    const [mia, noa] = [
      await signIn((await invite('mia')).email),
      await signIn((await invite('noa')).email),
    ];
    const sessionsOf = async (headers: { readonly cookie: string }) =>
      sessionList.parse((await call('GET', '/console/sessions', { headers })).json).data;
    const [theirs] = await sessionsOf(noa);

    const own = await sessionsOf(mia);
    const end = await call('DELETE', `/console/sessions/${theirs?.id}`, { headers: mia });
    const others = await call('DELETE', '/console/sessions', { headers: mia });
    const asKey = await call('DELETE', `/console/sessions/${theirs?.id}`, { headers: asManager });

    expect(own).toMatchObject([{ isCurrent: true }]);
    expect(end).toMatchObject({ status: 404, json: { code: 'session_not_found' } });
    expect([others.status, asKey.status]).toEqual([204, 401]);
    expect((await call('GET', '/console/session', { headers: noa })).status).toBe(200);
  });

  it('unsubscribes nobody if its person only reads', async () => {
    const headers = await signIn((await invite('max', 'viewer')).email);

    const answer = await call('POST', '/api/unsubscribe', {
      headers,
      body: { email: 'ann@example.com' },
    });

    expect(answer).toMatchObject({ status: 403, json: { code: 'missing_scope' } });
  });
});

const sessionList = z.object({
  data: z.array(z.object({ id: z.string(), isCurrent: z.boolean() })),
});

async function createOrganization() {
  const { json } = await call('POST', '/api/v1/organizations', {
    headers: { 'x-operator-secret': stack.operatorSecret },
    body: { name: 'Other Ltd' },
  });
  const shape = z.object({
    organization: z.object({ id: z.string() }),
    apiKey: z.object({ key: z.string() }),
  });
  const { organization, apiKey } = shape.parse(json);
  return { id: organization.id, asItsManager: { authorization: `Bearer ${apiKey.key}` } };
}

const switchTo = (organizationId: string, headers: Readonly<Record<string, string>>) =>
  call('POST', '/console/session/switch', { headers, body: { organizationId } });

const whereIs = async (headers: Readonly<Record<string, string>>) =>
  (await call('GET', '/console/session', { headers })).json;

describe('a switch between organizations', () => {
  it('leads only to those that invited the address, as long as they have it', async () => {
    const { email } = await invite('olga');
    const headers = await signIn(email);
    const [stranger, former] = [await createOrganization(), await createOrganization()];
    const { id: membership } = await invite('olga', 'admin', former.asItsManager);
    await call('DELETE', `/api/v1/people/${membership}`, { headers: former.asItsManager });
    // Who knows an organization may name it, but not its people.
    await invite('mallory', 'admin', stranger.asItsManager);
    const unknown = `${stranger.id.slice(0, -4)}aaaa`;

    const answers = await Promise.all(
      [stranger.id, former.id, unknown].map((id) => switchTo(id, headers)),
    );
    const listed = await call('GET', '/console/organizations', { headers });

    const [first] = answers.map(({ json }) => json);
    expect(first).toMatchObject({ status: 404, code: 'organization_not_found' });
    const answerOf = (json: unknown) => ({
      ...z.looseObject({}).parse(json),
      requestId: '',
      instance: '',
    });
    expect(answers.map(({ json }) => answerOf(json))).toEqual(answers.map(() => answerOf(first)));
    expect(answers.map((answer) => answer.headers.get('set-cookie'))).toEqual([null, null, null]);
    expect(listed.json).toMatchObject({ data: [{ id: stack.organizationId, role: 'support' }] });
    expect(await whereIs(headers)).toMatchObject({ person: { email } });
  });

  it('brings the role there, and leaves no cookie that still opens where it began', async () => {
    const { email } = await invite('pia', 'admin');
    const headers = await signIn(email);
    const there = await createOrganization();
    await invite('pia', 'viewer', there.asItsManager);

    const switched = await switchTo(there.id, headers);
    const after = withCookie(cookieOf(switched));
    const replayed = [
      await call('GET', '/api/v1/sends', { headers }),
      await switchTo(stack.organizationId, headers),
      await switchTo(there.id, headers),
    ];
    const manages = await call('GET', '/api/v1/people', { headers: after });

    expect(switched.status).toBe(204);
    expect(await whereIs(after)).toMatchObject({
      organization: { id: there.id },
      person: { role: 'viewer' },
    });
    expect(replayed.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(manages).toMatchObject({ status: 403, json: { code: 'missing_scope' } });
  });

  it('makes no session live longer, nor its sign-in more recent', async () => {
    const { email, id } = await invite('quin', 'admin');
    const headers = await signIn(email);
    const there = await createOrganization();
    await invite('quin', 'admin', there.asItsManager);
    await signedInLongAgo(id);
    const before = await whereIs(headers);

    const after = withCookie(cookieOf(await switchTo(there.id, headers)));
    const invites = await call('POST', '/api/v1/people', {
      headers: after,
      body: { email: 'mallory@people.example', role: 'admin' },
    });

    const ends = z.object({ expiresAt: z.int(), confirmedUntil: z.int() });
    expect(ends.parse(await whereIs(after))).toEqual(ends.parse(before));
    expect(invites).toMatchObject({ status: 403, json: { code: 'recent_sign_in_required' } });
  });

  it('is nothing for a session of an API key, nor for the page of another site', async () => {
    const { email } = await invite('rob', 'admin');
    const there = await createOrganization();
    await invite('rob', 'admin', there.asItsManager);
    const headers = await signIn(email);
    const ofKey = cookieOf(await call('POST', '/console/session', { body: { key: manageKey } }));
    const evil = { cookie: headers.cookie, origin: 'https://evil.example' };
    const { data } = sessionList.parse((await call('GET', '/console/sessions', { headers })).json);

    const byKey = await switchTo(there.id, withCookie(ofKey));
    const elsewhere = [
      await switchTo(there.id, evil),
      await call('DELETE', '/console/sessions', { headers: evil }),
      await call('DELETE', `/console/sessions/${data[0]?.id}`, { headers: evil }),
    ];

    expect(byKey).toMatchObject({ status: 404, json: { code: 'organization_not_found' } });
    expect(elsewhere.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(await whereIs(headers)).toMatchObject({ person: { email } });
  });
});
