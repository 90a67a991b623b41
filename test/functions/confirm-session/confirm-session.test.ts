import { describe, expect, it } from 'vitest';
import { admitCaller } from '#shared/access/admit-caller';
import { newCredential } from '#shared/access/credential-text';
import { keyShownMs, requireShownKey } from '#shared/access/sign-in';
import { confirmSession } from '../../../functions/confirm-session/confirm-session.ts';
import { createSession } from '../../../functions/create-session/create-session.ts';
import { createSignInLink } from '../../../functions/create-sign-in-link/create-sign-in-link.ts';
import { deleteSession } from '../../../functions/delete-session/delete-session.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSigningIn } from '../../support/signing-in-builder.ts';

const minute = 60_000;

async function signedInByLink() {
  const built = buildSigningIn();
  const { path } = await createSignInLink(built.text, built.signingIn);
  const { text: cookie } = await createSession({ link: path.split('#')[1] }, built.signingIn);
  return { ...built, cookie };
}

const asking = (credential: string | undefined, key: string) => ({
  credential,
  readParts: () => ({ body: { key } }),
});

/** What a session is told that wants to make a key. */
async function outcomeFor(cookie: string, { signingIn }: ReturnType<typeof buildSigningIn>) {
  const { session } = await admitCaller(cookie, signingIn);
  return session && requireShownKey(session, signingIn.now());
}

describe('a session', () => {
  it('can create keys for five minutes after it started with the key', async () => {
    const built = buildSigningIn();
    const { text: cookie } = await createSession({ key: built.text }, built.signingIn);

    await expect(outcomeFor(cookie, built)).resolves.toBeUndefined();
    built.world.now += 5 * minute;
    const error = await serviceErrorOf(() => outcomeFor(cookie, built));

    expect(error.code).toBe('key_confirmation_required');
  });

  it("can't create keys when it started with a link", async () => {
    const { cookie, ...built } = await signedInByLink();

    const error = await serviceErrorOf(() => outcomeFor(cookie, built));

    expect(error.code).toBe('key_confirmation_required');
  });
});

describe('confirmSession', () => {
  it('lets the session create keys for five minutes', async () => {
    const { cookie, ...built } = await signedInByLink();

    const confirmed = await confirmSession(asking(cookie, built.text), built.signingIn);

    expect(confirmed.confirmedUntil).toBe(built.world.now + keyShownMs);
    await expect(outcomeFor(confirmed.text, built)).resolves.toBeUndefined();
    built.world.now += keyShownMs;
    await expect(outcomeFor(confirmed.text, built)).rejects.toThrow();
  });

  it("invalidates every copy of the cookie, and doesn't extend the session", async () => {
    const built = buildSigningIn();
    const session = await createSession({ key: built.text }, built.signingIn);
    built.world.now += 60 * minute;

    const confirmed = await confirmSession(asking(session.text, built.text), built.signingIn);
    const error = await serviceErrorOf(() => admitCaller(session.text, built.signingIn));

    expect(error.code).toBe('invalid_api_key');
    expect(confirmed.expiresAt).toBe(session.expiresAt);
    expect(built.world.apiKey.signIns).toHaveLength(1);
  });

  it('accepts neither another key nor a session instead of the key', async () => {
    const { cookie, ...built } = await signedInByLink();
    const { organizationId } = await admitCaller(cookie, built.signingIn);
    const other = buildApiKey({ organizationId, scopes: ['manage_organization'] });
    const forged = newCredential('key', built.world.apiKey.id).text;
    const before = built.world.apiKey;
    const codeOf = async (key: string) =>
      (await serviceErrorOf(() => confirmSession(asking(cookie, key), built.signingIn))).code;

    expect(await codeOf(other.text)).toBe('other_api_key');
    expect(await codeOf(forged)).toBe('invalid_api_key');
    expect(await codeOf(cookie)).toBe('invalid_api_key');
    expect(built.world.apiKey).toBe(before);
  });

  it('requires an existing session', async () => {
    const { cookie, ...built } = await signedInByLink();
    await deleteSession(cookie, built.signingIn);
    const codeOf = async (credential: string | undefined) =>
      (await serviceErrorOf(() => confirmSession(asking(credential, built.text), built.signingIn)))
        .code;

    expect(await codeOf(cookie)).toBe('invalid_api_key');
    expect(await codeOf(built.text)).toBe('invalid_api_key');
    expect(await codeOf(undefined)).toBe('invalid_api_key');
  });
});

describe('the audit', () => {
  it('has each link, sign-in, confirmation and sign-out, with its session', async () => {
    const { cookie, ...built } = await signedInByLink();
    const confirmed = await confirmSession(asking(cookie, built.text), built.signingIn);
    await deleteSession(confirmed.text, built.signingIn);
    await deleteSession(confirmed.text, built.signingIn);

    const { entries, apiKey } = built.world;

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
    const built = buildSigningIn();
    const failing = {
      ...built.signingIn,
      audit: { append: () => Promise.reject(new Error('The table is away')) },
    };

    await expect(createSession({ key: built.text }, failing)).rejects.toThrow('The table is away');
  });
});
