import { describe, expect, it } from 'vitest';
import { admitCaller } from '#shared/access/admit-caller';
import type { ApiKey } from '#shared/access/api-key';
import { newCredential } from '#shared/access/credential-text';
import { newApiKeyId, newOrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { createSession, endpoint } from '../../../functions/create-session/create-session.ts';
import { createSignInLink } from '../../../functions/create-sign-in-link/create-sign-in-link.ts';
import { endpoint as optionsEndpoint } from '../../../functions/get-sign-in-options/get-sign-in-options.ts';
import { type Account, accountNow, openAccount } from '../../support/account.ts';
import { openPeople } from '../../support/people.ts';
import { presenting } from '../../support/presenting.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const hour = 3_600_000;

async function newLink(account: Account): Promise<string> {
  const { path } = await createSignInLink(presenting(account.credential), account);
  return path.split('#')[1] ?? '';
}

describe('createSession', () => {
  it('starts a session of twelve hours that represents the key', async () => {
    const account = await openAccount();

    const session = await createSession({ key: account.credential }, account);

    expect(session.expiresAt).toBe(accountNow + 12 * hour);
    expect(await admitCaller(presenting(session.text), account)).toMatchObject({
      actor: { key: account.apiKey.id, session: (await account.storedKey()).signIns?.[0]?.id },
    });
  });

  it("stores neither the session's secret nor the key's", async () => {
    const account = await openAccount();

    const session = await createSession({ key: account.credential }, account);

    const stored = JSON.stringify(account.items());
    for (const secret of [session.text, account.credential].map(
      (one) => one.split('_')[2] ?? '?',
    )) {
      expect(stored).not.toContain(secret.slice(0, 32));
    }
  });

  it('ends the session with its key at the latest', async () => {
    const account = await openAccount({}, { validUntil: accountNow + hour });

    const { expiresAt } = await createSession({ key: account.credential }, account);

    expect(expiresAt).toBe(accountNow + hour);
  });

  const endings: readonly [string, Partial<ApiKey>][] = [
    ['was revoked', { revokedAt: accountNow }],
    ['has expired', { validUntil: accountNow }],
    ['lost manage_organization', { scopes: ['send_email', 'read_sends'] }],
  ];

  it.each(endings)('accepts no session once the key %s', async (_, changes) => {
    const account = await openAccount();
    const session = await createSession({ key: account.credential }, account);
    await account.changeKey(changes);

    const error = await serviceErrorOf(() => admitCaller(presenting(session.text), account));

    expect(error.code).toBe('invalid_api_key');
    expect(error.message).toContain('Sign in again');
  });

  it('continues while a rotated key is valid, as its successor must be copied first', async () => {
    const account = await openAccount();
    const session = await createSession({ key: account.credential }, account);
    await account.changeKey({
      replacedBy: newApiKeyId(newOrganizationId()),
      validUntil: accountNow + hour,
    });

    const admitted = await admitCaller(presenting(session.text), account);
    account.clock.at += hour;
    const error = await serviceErrorOf(() => admitCaller(presenting(session.text), account));

    expect(admitted.organizationId).toBe(organizationIdOf(account.apiKey.id));
    expect(error.code).toBe('invalid_api_key');
  });

  it.each(endings)('accepts no link once the key %s', async (_, changes) => {
    const account = await openAccount();
    const link = await newLink(account);
    await account.changeKey(changes);

    const error = await serviceErrorOf(() => createSession({ link }, account));

    expect(error.code).toBe('link_not_found');
  });

  it('accepts no session after twelve hours', async () => {
    const account = await openAccount();
    const session = await createSession({ key: account.credential }, account);
    account.clock.at += 12 * hour;

    const error = await serviceErrorOf(() => admitCaller(presenting(session.text), account));

    expect(error.code).toBe('invalid_api_key');
  });

  it('keeps ten sessions, and the eleventh ends the oldest', async () => {
    const account = await openAccount();
    const sessions: string[] = [];
    for (let count = 0; count < 11; count += 1) {
      sessions.push((await createSession({ key: account.credential }, account)).text);
    }

    const [oldest = '', next = ''] = sessions;

    expect((await account.storedKey()).signIns).toHaveLength(10);
    expect((await serviceErrorOf(() => admitCaller(presenting(oldest), account))).code).toBe(
      'invalid_api_key',
    );
    await expect(admitCaller(presenting(next), account)).resolves.toBeDefined();
  });

  it('forgets ended sessions', async () => {
    const account = await openAccount();
    await createSession({ key: account.credential }, account);
    account.clock.at += 12 * hour;

    await createSession({ key: account.credential }, account);

    expect((await account.storedKey()).signIns).toHaveLength(1);
  });

  it('signs in once with a link', async () => {
    const account = await openAccount();
    const link = await newLink(account);

    const session = await createSession({ link }, account);
    const again = await serviceErrorOf(() => createSession({ link }, account));

    await expect(admitCaller(presenting(session.text), account)).resolves.toBeDefined();
    expect(again.code).toBe('link_not_found');
  });

  it('gives one session to concurrent uses of one link', async () => {
    const account = await openAccount();
    const link = await newLink(account);

    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => createSession({ link }, account)),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await account.storedKey()).signIns).toHaveLength(1);
  });

  it('accepts no link after ten minutes', async () => {
    const account = await openAccount();
    const link = await newLink(account);
    account.clock.at += 600_000;

    const error = await serviceErrorOf(() => createSession({ link }, account));

    expect(error.code).toBe('link_not_found');
  });

  it("doesn't change the key of a caller who may not sign in", async () => {
    const sender = await openAccount({}, { scopes: ['send_email'] });
    const manager = await openAccount();
    const forged = newCredential('key', manager.apiKey.id).text;
    const session = newCredential('session', manager.apiKey.id).text;
    const before = [sender, manager].map(({ items }) => items());
    const codeOf = async (key: string, account: Account) =>
      (await serviceErrorOf(() => createSession({ key }, account))).code;

    expect(await codeOf(sender.credential, sender)).toBe('missing_scope');
    expect(await codeOf(forged, manager)).toBe('invalid_api_key');
    expect(await codeOf(session, manager)).toBe('invalid_api_key');
    expect([sender, manager].map(({ items }) => items())).toEqual(before);
  });

  it('accepts neither a link nor a forged session as a key', async () => {
    const account = await openAccount();
    const made = newCredential('session', account.apiKey.id).text;

    for (const credential of [await newLink(account), made]) {
      const error = await serviceErrorOf(() => admitCaller(presenting(credential), account));
      expect(error.code).toBe('invalid_api_key');
    }
  });
});

describe('the request', () => {
  it.each([{}, { key: 'a', link: 'b' }, { key: '' }, { key: 1 }, { token: 'a' }])(
    '%o is refused',
    (body) => {
      expect(endpoint.body.safeParse(body).success).toBe(false);
    },
  );
});

describe('a deployment whose keys don’t sign in', () => {
  const off = { keySignIn: false };

  it('refuses keys, and links made with them before, which it doesn’t use up', async () => {
    const account = await openAccount();
    const link = await newLink(account);
    const before = account.items();

    const errors = [
      await serviceErrorOf(() =>
        createSession({ key: account.credential }, { ...account, ...off }),
      ),
      await serviceErrorOf(() => createSession({ link }, { ...account, ...off })),
      await serviceErrorOf(() =>
        createSignInLink(presenting(account.credential), { ...account, ...off }),
      ),
    ];

    expect(errors.map(({ code }) => code)).toEqual(errors.map(() => 'key_sign_in_off'));
    expect(account.items()).toEqual(before);
  });

  it('tells nobody whether a key is one', async () => {
    const account = await openAccount();

    const error = await serviceErrorOf(() =>
      createSession({ key: 'esk_x' }, { ...account, ...off }),
    );

    expect(error.code).toBe('key_sign_in_off');
  });

  it('signs people in by their links, and says which ways there are', async () => {
    const account = await openPeople();
    await account.invite('ann@example.com');
    const link = await account.askForLink('ann@example.com');

    const session = await createSession(
      { link },
      { ...account, ...off },
      { browser: 'its browser' },
    );
    const caller = await account.admit(session.text);
    const options = await optionsEndpoint.run(
      { ...surroundings, caller: undefined },
      { ...account, ...off, issuerName: undefined },
    );

    expect(caller.apiKey.person?.email).toBe('ann@example.com');
    expect(options).toEqual({ ways: { keys: false } });
  });
});
