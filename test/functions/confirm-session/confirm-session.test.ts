import { describe, expect, it } from 'vitest';
import { admitCaller } from '#shared/access/admit-caller';
import { newCredential } from '#shared/access/credential-text';
import { keyShownMs, requireShownKey } from '#shared/access/sign-in';
import { confirmSession } from '../../../functions/confirm-session/confirm-session.ts';
import { createSession } from '../../../functions/create-session/create-session.ts';
import { createSignInLink } from '../../../functions/create-sign-in-link/create-sign-in-link.ts';
import { deleteSession } from '../../../functions/delete-session/delete-session.ts';
import { type Account, openAccount } from '../../support/account.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { presenting } from '../../support/presenting.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const minute = 60_000;

async function signedInByLink() {
  const account = await openAccount();
  const { path } = await createSignInLink(presenting(account.credential), account);
  account.clock.at += 1;
  const { text: cookie } = await createSession({ link: path.split('#')[1] }, account);
  return { ...account, cookie };
}

const asking = (credential: string | undefined, key: string) => ({
  credential,
  readParts: () => ({ body: { key } }),
});

/** What a session is told that wants to make a key. */
async function outcomeFor(cookie: string, account: Pick<Account, 'table' | 'now'>) {
  return requireShownKey(await admitCaller(presenting(cookie), account), account.now());
}

describe('a session', () => {
  it('can create keys for five minutes after it started with the key', async () => {
    const account = await openAccount();
    const { text: cookie } = await createSession({ key: account.credential }, account);

    await expect(outcomeFor(cookie, account)).resolves.toBeUndefined();
    account.clock.at += 5 * minute;
    const error = await serviceErrorOf(() => outcomeFor(cookie, account));

    expect(error.code).toBe('key_confirmation_required');
  });

  it("can't create keys when it started with a link", async () => {
    const { cookie, ...account } = await signedInByLink();

    const error = await serviceErrorOf(() => outcomeFor(cookie, account));

    expect(error.code).toBe('key_confirmation_required');
  });
});

describe('confirmSession', () => {
  it('lets the session create keys for five minutes', async () => {
    const { cookie, ...account } = await signedInByLink();

    const confirmed = await confirmSession(asking(cookie, account.credential), account);

    expect(confirmed.confirmedUntil).toBe(account.clock.at + keyShownMs);
    await expect(outcomeFor(confirmed.text, account)).resolves.toBeUndefined();
    account.clock.at += keyShownMs;
    await expect(outcomeFor(confirmed.text, account)).rejects.toThrow();
  });

  it("invalidates every copy of the cookie, and doesn't extend the session", async () => {
    const account = await openAccount();
    const session = await createSession({ key: account.credential }, account);
    account.clock.at += 60 * minute;

    const confirmed = await confirmSession(asking(session.text, account.credential), account);
    const error = await serviceErrorOf(() => admitCaller(presenting(session.text), account));

    expect(error.code).toBe('invalid_api_key');
    expect(confirmed.expiresAt).toBe(session.expiresAt);
    expect((await account.storedKey()).signIns).toHaveLength(1);
  });

  it('accepts neither another key nor a session instead of the key', async () => {
    const { cookie, ...account } = await signedInByLink();
    const { organizationId } = await admitCaller(presenting(cookie), account);
    const other = buildApiKey({ organizationId, scopes: ['manage_organization'] });
    const forged = newCredential('key', account.apiKey.id).text;
    const before = await account.storedKey();
    const codeOf = async (key: string) =>
      (await serviceErrorOf(() => confirmSession(asking(cookie, key), account))).code;

    expect(await codeOf(other.text)).toBe('other_api_key');
    expect(await codeOf(forged)).toBe('invalid_api_key');
    expect(await codeOf(cookie)).toBe('invalid_api_key');
    expect(await account.storedKey()).toEqual(before);
  });

  it('requires an existing session', async () => {
    const { cookie, ...account } = await signedInByLink();
    await deleteSession(cookie, account);
    const codeOf = async (credential: string | undefined) =>
      (await serviceErrorOf(() => confirmSession(asking(credential, account.credential), account)))
        .code;

    expect(await codeOf(cookie)).toBe('invalid_api_key');
    expect(await codeOf(account.credential)).toBe('invalid_api_key');
    expect(await codeOf(undefined)).toBe('invalid_api_key');
  });
});

describe('the audit', () => {
  it('has each link, sign-in, confirmation and sign-out, with its session', async () => {
    const { cookie, ...account } = await signedInByLink();
    account.clock.at += 1;
    const confirmed = await confirmSession(asking(cookie, account.credential), account);
    account.clock.at += 1;
    await deleteSession(confirmed.text, account);
    await deleteSession(confirmed.text, account);

    const entries = (await account.audit()).toReversed();
    const { apiKey } = account;

    expect(entries.map(({ action }) => action)).toEqual([
      'sign_in_link.created',
      'session.started',
      'session.confirmed',
      'session.ended',
    ]);
    expect(entries.every(({ actor, target }) => actor === apiKey.id && target === apiKey.id)).toBe(
      true,
    );
    const [link, ...inSession] = entries.map(({ session }) => session);
    expect(link).toBeUndefined();
    expect(new Set(inSession)).toEqual(new Set([expect.stringMatching(/^ses_/)]));
    expect(JSON.stringify(entries)).not.toContain(confirmed.text.split('_')[2]?.slice(0, 32));
  });

  it("is written before anybody gets a session's secret", async () => {
    const account = await openAccount();
    account.beforeNextWrite(
      async () => {},
      () => Promise.reject(new Error('The table is away')),
    );

    await expect(createSession({ key: account.credential }, account)).rejects.toThrow(
      'The table is away',
    );
  });
});
