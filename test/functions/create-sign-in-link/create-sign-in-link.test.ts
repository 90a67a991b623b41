import { describe, expect, it } from 'vitest';
import { createSession } from '../../../functions/create-session/create-session.ts';
import { createSignInLink } from '../../../functions/create-sign-in-link/create-sign-in-link.ts';
import { accountNow, openAccount } from '../../support/account.ts';
import { presenting } from '../../support/presenting.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

describe('createSignInLink', () => {
  it("makes a link of ten minutes whose secret isn't sent to any server", async () => {
    const account = await openAccount();

    const { path, expiresAt } = await createSignInLink(presenting(account.credential), account);

    expect(path).toMatch(/^\/console\/sign-in#esl_[a-z2-7]{32}_[a-z2-7]{40}$/);
    expect(expiresAt).toBe(accountNow + 600_000);
    expect((await account.storedKey()).signIns).toMatchObject([{ kind: 'link', expiresAt }]);
  });

  it('returns invalid_api_key to a session, which would prolong itself', async () => {
    const account = await openAccount();
    const session = await createSession({ key: account.credential }, account);

    const error = await serviceErrorOf(() => createSignInLink(presenting(session.text), account));

    expect(error.code).toBe('invalid_api_key');
    expect((await account.storedKey()).signIns).toMatchObject([{ kind: 'session' }]);
  });

  it.each([
    ['missing_scope', { scopes: ['read_sends' as const] }],
    ['invalid_api_key', { revokedAt: accountNow }],
  ])('returns %s to a key with %o', async (code, settings) => {
    const account = await openAccount({}, settings);
    const before = account.items();

    const error = await serviceErrorOf(() =>
      createSignInLink(presenting(account.credential), account),
    );

    expect(error.code).toBe(code);
    expect(account.items(), 'not even the day is counted').toEqual(before);
  });

  it("makes none once the day's links are used up, while the key itself can still sign in", async () => {
    const account = await openAccount({ limits: { signInLinksPerDay: 1 } });
    await createSignInLink(presenting(account.credential), account);

    const error = await serviceErrorOf(() =>
      createSignInLink(presenting(account.credential), account),
    );

    expect(error.code).toBe('sign_in_link_limit_reached');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect((await account.storedKey()).signIns).toHaveLength(1);
    await createSession({ key: account.credential }, account);
    expect((await account.storedKey()).signIns).toMatchObject([
      { kind: 'link' },
      { kind: 'session' },
    ]);
  });
});
