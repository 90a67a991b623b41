import { describe, expect, it } from 'vitest';
import { browserHashOf } from '#shared/access/mailed-link';
import { keyShownMs, type SignIn } from '#shared/access/sign-in';
import { challengeMs, newChallenge } from '#shared/passkeys/challenge';
import { maxPasskeys, openedBy, passkeyDays } from '#shared/passkeys/passkey';
import { dayMs } from '#shared/timing/day';
import { createPasskey } from '../../../functions/create-passkey/create-passkey.ts';
import { createPasskeyOptions } from '../../../functions/create-passkey-options/create-passkey-options.ts';
import { createPasskeySession } from '../../../functions/create-passkey-session/create-passkey-session.ts';
import { deletePasskey } from '../../../functions/delete-passkey/delete-passkey.ts';
import { removePerson } from '../../../functions/remove-person/remove-person.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { openPeople } from '../../support/people.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { openAuthenticator } from '../../support/software-authenticator.ts';

const site = { origin: 'https://mail.example.com', hostname: 'mail.example.com' };
const keyring = buildKeyring();
const browser = 'its browser';
const email = 'carol@example.com';

type From = Parameters<typeof createPasskeySession>[1];

/** Somebody who was invited and has signed in, with an authenticator. */
async function openPerson() {
  const people = await openPeople();
  const service = { ...people, keyring: async () => keyring, origin: site };
  await people.invite(email);
  const session = await people.signIn(email);
  const callerOf = async (text: string) => {
    const { session: signedIn, ...caller } = await people.admit(text);
    if (signedIn === undefined) throw new Error('Not signed in');
    return { ...caller, session: signedIn };
  };
  const authenticator = openAuthenticator(site.origin);
  const options = async () => createPasskeyOptions(await callerOf(session), service);
  const store = async (body: ReturnType<typeof authenticator.create>) =>
    createPasskey({ caller: await callerOf(session), body }, service);
  const challenge = () => ({
    challenge: newChallenge(
      keyring,
      { for: 'signing in', holder: browserHashOf(browser) },
      people.clock.at,
    ),
    rpId: site.hostname,
  });
  const from: From = { browser, replaced: undefined, network: '192.0.2.1', device: undefined };
  return {
    ...people,
    session,
    service,
    authenticator,
    options,
    store,
    challenge,
    callerOf,
    add: async () => store(authenticator.create(await options())),
    answer: (assertion: ReturnType<typeof authenticator.get>, changes: Partial<From> = {}) =>
      createPasskeySession(assertion, { ...from, ...changes }, service),
    signInByPasskey: async (which?: number) => {
      people.clock.at += 1;
      const assertion = authenticator.get(challenge(), {}, which);
      return createPasskeySession(assertion, from, service);
    },
    remove: async (id: string) =>
      deletePasskey({ caller: await callerOf(session), path: { id } }, people),
    account: () => people.items().find(({ sk }) => sk === 'PASSKEYS'),
  };
}

const codeOf = async (work: Promise<unknown>) => (await serviceErrorOf(() => work)).code;

describe('adding a passkey', () => {
  it('stores it with the address, and says so in the audit', async () => {
    const person = await openPerson();

    const added = await person.add();

    expect(added).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      name: 'Software',
      isBackedUp: true,
      createdAt: person.now(),
    });
    expect(person.account()).toMatchObject({ identity: email, version: 1 });
    const entries = await person.audit();
    expect(entries.find(({ action }) => action === 'passkey.added')).toMatchObject({
      after: { passkey: added.id },
      isPerson: true,
    });
  });

  it('can be repeated, which changes nothing', async () => {
    const person = await openPerson();
    const body = person.authenticator.create(await person.options());
    const first = await person.store(body);

    const second = await person.store({ ...body, name: 'Other' });

    expect(second).toEqual(first);
    expect(person.account()).toMatchObject({ version: 1 });
  });

  it('needs a recent sign-in, by a person, and room', async () => {
    const person = await openPerson();
    const started: SignIn = { kind: 'session', secretHash: '', expiresAt: 0 };
    const asKey = { apiKey: person.apiKey, session: started };

    const byKey = await codeOf(createPasskeyOptions(asKey, person.service));
    for (let added = 0; added < maxPasskeys; added += 1) await person.add();
    const full = await codeOf(person.options());
    person.clock.at += keyShownMs;
    const late = await codeOf(person.options());

    expect([byKey, full, late]).toEqual([
      'person_required',
      'too_many_passkeys',
      'recent_sign_in_required',
    ]);
  });

  it('names to the authenticator whom it has passkeys of, without their address in clear', async () => {
    const person = await openPerson();
    await person.add();

    const { user, excludeCredentials } = await person.options();

    expect(Buffer.from(user.id, 'base64url').length).toBeLessThanOrEqual(64);
    expect(Buffer.from(user.id, 'base64url').toString()).not.toContain('carol');
    expect(excludeCredentials).toHaveLength(1);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another site', { rpId: 'evil.example' }],
    ['somebody who wasn’t verified', { isUnverified: true }],
    ['a sign-in', { type: 'webauthn.get' }],
    ['another challenge', { challenge: Buffer.from('k1.e30.x').toString('base64url') }],
    [
      'an authenticator with certificates',
      { statement: { fmt: 'packed', attStmt: new Map([['x5c', new Map()]]) } },
    ],
    ['an authenticator of a known make', { statement: { fmt: 'tpm', attStmt: new Map() } }],
  ] as const)('refuses the answer of %s', async (_, faults) => {
    const person = await openPerson();
    const body = person.authenticator.create(await person.options(), faults);

    expect(await codeOf(person.store(body))).toBe('passkey_refused');
  });

  it('refuses the challenge of another session, of a sign-in, and a late answer', async () => {
    const person = await openPerson();
    const options = await person.options();
    const { challenge } = person.challenge();
    const other = await person.callerOf(await person.signIn(email));
    const body = person.authenticator.create(options);

    const inOther = await codeOf(createPasskey({ caller: other, body }, person.service));
    const ofSignIn = await codeOf(
      person.store(person.authenticator.create({ ...options, challenge })),
    );
    person.clock.at += challengeMs;
    const late = await codeOf(person.store(body));

    expect([inOther, ofSignIn, late]).toEqual(Array(3).fill('passkey_refused'));
  });

  it('keeps both of two that are added at once', async () => {
    const person = await openPerson();
    person.beforeNextWrite(() => person.add());

    await person.add();

    expect(person.account()).toMatchObject({ version: 2, passkeys: [{}, {}] });
  });
});

describe('signing in with a passkey', () => {
  it('starts a session that counts as a recent sign-in', async () => {
    const person = await openPerson();
    await person.add();

    const { text } = await person.signInByPasskey();

    const { session, apiKey } = await person.callerOf(text);
    expect(session.keyShownAt).toBe(person.now());
    expect(apiKey.person?.email).toBe(email);
    expect(person.account()).toMatchObject({
      passkeys: [{ lastUsedAt: person.now(), counter: 1 }],
    });
    expect((await person.audit())[0]).toMatchObject({ action: 'session.started', isPerson: true });
  });

  it('ends the session that the browser had, and no other', async () => {
    const person = await openPerson();
    await person.add();
    const other = await person.signIn(email);
    person.clock.at += 1;
    const assertion = person.authenticator.get(person.challenge());

    await person.answer(assertion, { replaced: person.session });

    await expect(person.admit(person.session)).rejects.toThrow('session has ended');
    await expect(person.admit(other)).resolves.toBeDefined();
  });

  it.each([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another site', { rpId: 'evil.example' }],
    ['of somebody who wasn’t verified', { isUnverified: true }],
    ['that adds a passkey', { type: 'webauthn.create' }],
    ['to another challenge', { challenge: Buffer.from('k1.e30.x').toString('base64url') }],
    ['of nobody', { userHandle: Buffer.from('a'.repeat(16)).toString('base64url') }],
    ['of what is no handle', { userHandle: Buffer.from('x#PASSKEYS').toString('base64url') }],
  ] as const)('refuses an answer %s', async (_, faults) => {
    const person = await openPerson();
    await person.add();
    person.clock.at += 1;
    const assertion = person.authenticator.get(person.challenge(), faults);

    expect(await codeOf(person.answer(assertion))).toBe('passkey_refused');
  });

  it('refuses the same answer twice, one after or at once, and older challenges', async () => {
    const person = await openPerson();
    await person.add();
    person.clock.at += 1;
    const older = person.challenge();
    person.clock.at += 1;
    const assertion = person.authenticator.get(person.challenge());
    person.beforeNextWrite(
      async () => {},
      async () => expect(await person.answer(assertion)).toBeDefined(),
    );

    const atOnce = await codeOf(person.answer(assertion));
    const again = await codeOf(person.answer(assertion));
    const toOlder = await codeOf(person.answer(person.authenticator.get(older)));

    expect([atOnce, again, toOlder]).toEqual(Array(3).fill('passkey_refused'));
    await expect(person.signInByPasskey()).resolves.toBeDefined();
  });

  it('refuses a counter that goes back, as a copy of the authenticator has', async () => {
    const person = await openPerson();
    await person.add();
    await person.signInByPasskey();
    person.clock.at += 1;
    const assertion = person.authenticator.get(person.challenge(), { counter: 1 });

    expect(await codeOf(person.answer(assertion))).toBe('passkey_refused');
  });

  it('refuses another browser, a late answer, and the challenge for adding', async () => {
    const person = await openPerson();
    await person.add();
    const { challenge } = await person.options();
    person.clock.at += 1;
    const assertion = person.authenticator.get(person.challenge());
    const ofAdding = person.authenticator.get({ challenge, rpId: site.hostname });

    const elsewhere = await codeOf(person.answer(assertion, { browser: 'another' }));
    const withoutCookie = await codeOf(person.answer(assertion, { browser: undefined }));
    const forAdding = await codeOf(person.answer(ofAdding));
    person.clock.at += challengeMs;
    const late = await codeOf(person.answer(assertion));

    const all = [elsewhere, withoutCookie, forAdding, late];
    expect(all).toEqual(Array(4).fill('passkey_refused'));
  });

  it('refuses a passkey that was removed, while others go on', async () => {
    const person = await openPerson();
    const { id } = await person.add();
    await person.add();

    await person.remove(id);

    expect(await codeOf(person.signInByPasskey(0))).toBe('passkey_refused');
    await expect(person.signInByPasskey(1)).resolves.toBeDefined();
    expect((await person.audit()).map(({ action }) => action)).toContain('passkey.removed');
  });

  it('refuses a passkey that nobody used for a year and more', async () => {
    const person = await openPerson();
    await person.add();
    person.clock.at += passkeyDays * dayMs;

    expect(await codeOf(person.signInByPasskey())).toBe('passkey_refused');
  });

  it('opens nothing for somebody who was removed, even once the address is invited again', async () => {
    const person = await openPerson();
    await person.add();
    const { apiKey } = await person.callerOf(person.session);
    await removePerson({ caller: person.caller, path: { id: apiKey.id } }, person);
    const removed = await codeOf(person.signInByPasskey());
    person.clock.at += 1;

    await person.invite(email);
    const invited = await codeOf(person.signInByPasskey());
    await person.signIn(email);
    const signedIn = await codeOf(person.signInByPasskey());

    expect([removed, invited, signedIn]).toEqual(Array(3).fill('passkey_refused'));
  });

  it('leads to the organization of the browser’s session, otherwise to the one used last', () => {
    const keyOf = (lastUsedAt: number) =>
      buildApiKey({ person: { email, role: 'viewer' }, createdAt: 1, lastUsedAt }).apiKey;
    const [first, last, other] = [keyOf(10), keyOf(30), keyOf(20)];
    const keys = [first, last, other];

    const anywhere = openedBy({ createdAt: 1 }, keys, undefined, 40);
    const here = openedBy({ createdAt: 1 }, keys, first.id, 40);

    expect(anywhere).toEqual([last, other, first]);
    expect(here).toEqual([first, last, other]);
  });

  it('counts against the network, apart from other requests', async () => {
    const person = await openPerson();
    await person.add();
    person.clock.at += 1;
    const assertion = person.authenticator.get(person.challenge(), { isUnverified: true });

    const codes: string[] = [];
    for (let tries = 0; tries < 121; tries += 1) codes.push(await codeOf(person.answer(assertion)));

    expect(codes.slice(0, 120)).toEqual(Array(120).fill('passkey_refused'));
    expect(codes[120]).toBe('rate_limited');
    await expect(
      person.answer(person.authenticator.get(person.challenge()), { network: '192.0.2.2' }),
    ).resolves.toBeDefined();
  });
});

describe('removing a passkey', () => {
  it('needs a recent sign-in, and one that is there', async () => {
    const person = await openPerson();
    const { id } = await person.add();

    const unknown = await codeOf(person.remove('0'.repeat(32)));
    person.clock.at += keyShownMs;
    const late = await codeOf(person.remove(id));

    expect([unknown, late]).toEqual(['passkey_not_found', 'recent_sign_in_required']);
  });
});
