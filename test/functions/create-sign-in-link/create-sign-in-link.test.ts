import { describe, expect, it } from 'vitest';
import { createSession } from '../../../functions/create-session/create-session.ts';
import { createSignInLink } from '../../../functions/create-sign-in-link/create-sign-in-link.ts';
import { fakeDayQuotas } from '../../support/day-quota-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSigningIn, signInNow } from '../../support/signing-in-builder.ts';

describe('createSignInLink', () => {
  it("makes a link of ten minutes whose secret isn't sent to any server", async () => {
    const { text, world, signingIn } = buildSigningIn();

    const { path, expiresAt } = await createSignInLink(text, signingIn);

    expect(path).toMatch(/^\/console\/sign-in#esl_[a-z2-7]{32}_[a-z2-7]{40}$/);
    expect(expiresAt).toBe(signInNow + 600_000);
    expect(world.apiKey.signIns).toMatchObject([{ kind: 'link', expiresAt }]);
  });

  it('returns invalid_api_key to a session, which would prolong itself', async () => {
    const { text, world, signingIn } = buildSigningIn();
    const session = await createSession({ key: text }, signingIn);

    const error = await serviceErrorOf(() => createSignInLink(session.text, signingIn));

    expect([error.code, world.writes]).toEqual(['invalid_api_key', 1]);
  });

  it.each([
    ['missing_scope', { scopes: ['read_sends' as const] }],
    ['invalid_api_key', { revokedAt: signInNow }],
  ])('returns %s to a key with %o', async (code, settings) => {
    const { text, world, signingIn } = buildSigningIn(settings);

    const error = await serviceErrorOf(() => createSignInLink(text, signingIn));

    expect([error.code, world.writes]).toEqual([code, 0]);
  });

  it('counts only links that the key is allowed to make', async () => {
    const taken: unknown[] = [];
    const { text, signingIn } = buildSigningIn({ scopes: ['read_sends' as const] });
    const { dayQuotas } = fakeDayQuotas({ take: async (...counted) => taken.push(counted) > 0 });

    const error = await serviceErrorOf(() => createSignInLink(text, { ...signingIn, dayQuotas }));

    expect([error.code, taken]).toEqual(['missing_scope', []]);
  });

  it("makes none once the day's links are used up, while the key itself can still sign in", async () => {
    const { text, world, signingIn } = buildSigningIn();
    const usedUp = { ...signingIn, ...fakeDayQuotas({ take: async () => false }) };

    const error = await serviceErrorOf(() => createSignInLink(text, usedUp));

    expect(error.code).toBe('sign_in_link_limit_reached');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(world.writes).toBe(0);
    await createSession({ key: text }, usedUp);
    expect(world.apiKey.signIns).toMatchObject([{ kind: 'session' }]);
  });
});
