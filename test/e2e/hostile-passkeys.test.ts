import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Role } from '#shared/access/roles';
import { keyShownMs } from '#shared/access/sign-in';
import { openTable } from '#shared/table/table-client';
import { type ApiKeyId, apiKeyIdSchema } from '#shared/tokens/resource-id';
import { openSession, passkeyPerson } from '../support/passkey-person.ts';
import { useTwin } from '../support/twin.ts';

// What those try who have part of a passkey's sign-in: an answer, a session, another site, an address that they left.
// SECURITY.md names these.

const stack = await useTwin();
const { baseUrl, manageKey } = stack;
const table = openTable(stack.tableName);
const asManager = { authorization: `Bearer ${manageKey}` };

const { call, withCookie } = passkeyPerson(baseUrl);

async function invite(name: string, role: Role = 'support', headers = asManager) {
  const email = `${name}@passkeys.example`;
  const { json } = await call('POST', '/api/v1/people', { headers, body: { email, role } });
  return { email, id: apiKeyIdSchema.parse(z.object({ id: z.string() }).parse(json).id) };
}

/** The headers of somebody's open tab. */
const openTab = async (id: ApiKeyId, at?: number) => withCookie(await openSession(table, id, at));

/** Somebody with a passkey, who has signed in before. */
async function openPerson(name: string, role: Role = 'support') {
  const { email, id } = await invite(name, role);
  const session = await openTab(id);
  const person = passkeyPerson(baseUrl);
  const made = person.authenticator.create(await person.askToAdd(session));
  const { status, json } = await person.add(session, made);
  expect(status).toBe(201);
  return { ...person, email, id, session, made, passkey: z.object({ id: z.string() }).parse(json) };
}

const refused = { status: 403, json: { code: 'passkey_refused' }, cookie: '' };

describe('an answer of a passkey', () => {
  it('signs in once, in the browser that asked', async () => {
    const person = await openPerson('ann');
    const { options, browser } = await person.ask();
    const other = await person.ask();
    const answer = person.authenticator.get(options);

    const elsewhere = await person.answer(answer, other.browser);
    const nowhere = await person.answer(answer);
    const own = await person.answer(answer, browser);
    const again = await person.answer(answer, browser);
    const session = await call('GET', '/console/session', { headers: withCookie(own.cookie) });

    expect([elsewhere, nowhere, again]).toMatchObject([refused, refused, refused]);
    expect(own.status).toBe(204);
    expect(session.json).toMatchObject({ person: { email: person.email } });
  });

  it('signs in once, even if it’s sent ten times at once', async () => {
    const person = await openPerson('ben');
    const { options, browser } = await person.ask();
    const answer = person.authenticator.get(options);

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => person.answer(answer, browser)),
    );

    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([204, ...Array(9).fill(403)]);
  });

  it.each([
    ['made for another origin', { origin: 'https://evil.example' }],
    ['made for another site', { rpId: 'evil.example' }],
    ['of somebody who wasn’t verified', { isUnverified: true }],
    ['to a challenge that the service didn’t make', { challenge: 'azEuZTMwLng' }],
    ['with a made-up owner', { userHandle: Buffer.from('a'.repeat(64)).toString('base64url') }],
  ] as const)('is refused if it is %s', async (what, faults) => {
    const person = await openPerson(`c${what.length}`);
    const { options, browser } = await person.ask();

    const answer = await person.answer(person.authenticator.get(options, faults), browser);

    expect(answer).toMatchObject(refused);
  });

  it('signs in nobody else: its owner is where its key is', async () => {
    const person = await openPerson('dan', 'viewer');
    const admin = await openPerson('eve', 'admin');
    const { user } = await admin.askToAdd(admin.session);
    const { options, browser } = await person.ask();

    const asAdmin = await person.answer(
      person.authenticator.get(options, { userHandle: user.id }),
      browser,
    );
    const withAdminsId = await person.answer(
      { ...person.authenticator.get(options, { userHandle: user.id }), id: admin.made.id },
      browser,
    );

    expect([asAdmin, withAdminsId]).toMatchObject([refused, refused]);
  });

  it('is refused if its counter went back, as in a copy of the authenticator', async () => {
    const person = await openPerson('finn');
    const first = await person.ask();
    await person.answer(person.authenticator.get(first.options, { counter: 7 }), first.browser);
    const { options, browser } = await person.ask();

    const copy = await person.answer(person.authenticator.get(options, { counter: 6 }), browser);

    expect(copy).toMatchObject(refused);
  });

  it('is read no further if it’s too large', async () => {
    const person = await openPerson('gus');
    const { options, browser } = await person.ask();
    const answer = person.authenticator.get(options);
    const padded = (length: number) => ({ ...answer, signature: 'A'.repeat(length) });

    const long = await person.answer(padded(2_049), browser);
    const huge = await person.answer(padded(70_000), browser);

    expect(long).toMatchObject({ status: 400, json: { code: 'validation_failed' } });
    expect(huge).toMatchObject({ status: 413, json: { code: 'too_large' } });
  });
});

describe('a passkey', () => {
  it('opens nothing once its person is removed, even if the address is invited again', async () => {
    const person = await openPerson('hal');
    const signIn = async () => {
      const { options, browser } = await person.ask();
      return person.answer(person.authenticator.get(options), browser);
    };
    const before = await signIn();

    await call('DELETE', `/api/v1/people/${person.id}`, { headers: asManager });
    const removed = await signIn();
    await invite('hal', 'admin');
    const invited = await signIn();
    await openTab(person.id);
    const signedIn = await signIn();

    expect(before.status).toBe(204);
    expect([removed, invited, signedIn]).toMatchObject([refused, refused, refused]);
  });

  it('is added only within five minutes of signing in, so a copied session can’t keep itself one', async () => {
    const { id } = await invite('ida');
    const copied = await openTab(id, Date.now() - keyShownMs);

    const asked = await call('POST', '/console/passkeys/options', { headers: copied });

    expect(asked).toMatchObject({ status: 403, json: { code: 'recent_sign_in_required' } });
  });

  it('is added only in the session that asked, and removed only by its person', async () => {
    const person = await openPerson('jo');
    const other = await openPerson('kim', 'admin');
    const options = await person.askToAdd(person.session);
    const made = person.authenticator.create(options);

    const inOther = await person.add(other.session, made);
    const inNewer = await person.add(await openTab(person.id), made);
    const removed = await call('DELETE', `/console/passkeys/${person.passkey.id}`, {
      headers: other.session,
    });
    const key = await call('GET', '/console/passkeys', { headers: asManager });

    expect([inOther, inNewer]).toMatchObject([refused, refused]);
    expect(removed).toMatchObject({ status: 404, json: { code: 'passkey_not_found' } });
    expect(key).toMatchObject({ status: 401, json: { code: 'invalid_api_key' } });
  });

  it('can’t be added or signed in with by a page of another site', async () => {
    const person = await openPerson('lea');
    const { options, browser } = await person.ask();
    const evil = { origin: 'https://evil.example' };
    const made = person.authenticator.get(options);

    const asked = await call('POST', '/console/passkeys/options', {
      headers: { ...person.session, ...evil },
    });
    const signedIn = await call('POST', '/console/session/passkey', {
      headers: { ...withCookie(browser), ...evil },
      body: made,
    });

    expect(asked.status).toBe(401);
    expect(signedIn).toMatchObject(refused);
  });
});

describe('a stranger who asks for a challenge', () => {
  it('learns nothing about anybody, and has nothing stored', async () => {
    const { json } = await call('POST', '/console/passkey-sign-in/options');

    expect(json).toEqual({
      challenge: expect.any(String),
      rpId: 'localhost',
      timeout: expect.any(Number),
      userVerification: 'required',
    });
  });
});
