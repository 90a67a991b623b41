import { describe, expect, it } from 'vitest';
import { admitCaller } from '#shared/access/admit-caller';
import type { ApiKey } from '#shared/access/api-key';
import { newCredential } from '#shared/access/credential-text';
import { newApiKeyId, newOrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { createSession, endpoint } from '../../../functions/create-session/create-session.ts';
import { createSignInLink } from '../../../functions/create-sign-in-link/create-sign-in-link.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSigningIn, signInNow } from '../../support/signing-in-builder.ts';

const hour = 3_600_000;

async function newLink({ text, signingIn }: ReturnType<typeof buildSigningIn>): Promise<string> {
  const { path } = await createSignInLink(text, signingIn);
  return path.split('#')[1] ?? '';
}

describe('createSession', () => {
  it('starts a session of twelve hours that represents the key', async () => {
    const { text, world, signingIn } = buildSigningIn();

    const session = await createSession({ key: text }, signingIn);

    expect(session.expiresAt).toBe(signInNow + 12 * hour);
    expect(await admitCaller(session.text, signingIn)).toMatchObject({
      actor: { key: world.apiKey.id, session: world.apiKey.signIns?.[0]?.id },
    });
  });

  it("stores neither the session's secret nor the key's", async () => {
    const { text, world, signingIn } = buildSigningIn();

    const session = await createSession({ key: text }, signingIn);

    const stored = JSON.stringify(world.apiKey);
    for (const secret of [session.text, text].map((one) => one.split('_')[2] ?? '?')) {
      expect(stored).not.toContain(secret.slice(0, 32));
    }
  });

  it('invalidates the session together with its key', async () => {
    const { text, signingIn } = buildSigningIn({ validUntil: signInNow + hour });

    const { expiresAt } = await createSession({ key: text }, signingIn);

    expect(expiresAt).toBe(signInNow + hour);
  });

  const endings: readonly [string, Partial<ApiKey>][] = [
    ['was revoked', { revokedAt: signInNow }],
    ['has expired', { validUntil: signInNow }],
    ['lost manage_organization', { scopes: ['send_email', 'read_sends'] }],
  ];

  it.each(endings)('accepts no session once the key %s', async (_, changes) => {
    const { text, signingIn, change } = buildSigningIn();
    const session = await createSession({ key: text }, signingIn);
    change(changes);

    const error = await serviceErrorOf(() => admitCaller(session.text, signingIn));

    expect(error.code).toBe('invalid_api_key');
    expect(error.message).toContain('Sign in again');
  });

  it('continues while a rotated key is valid, as its successor must be copied first', async () => {
    const { text, signingIn, change, world } = buildSigningIn();
    const session = await createSession({ key: text }, signingIn);
    change({ replacedBy: newApiKeyId(newOrganizationId()), validUntil: signInNow + hour });

    const admitted = await admitCaller(session.text, signingIn);
    world.now += hour;
    const error = await serviceErrorOf(() => admitCaller(session.text, signingIn));

    expect(admitted.organizationId).toBe(organizationIdOf(world.apiKey.id));
    expect(error.code).toBe('invalid_api_key');
  });

  it.each(endings)('accepts no link once the key %s', async (_, changes) => {
    const built = buildSigningIn();
    const link = await newLink(built);
    built.change(changes);

    const error = await serviceErrorOf(() => createSession({ link }, built.signingIn));

    expect(error.code).toBe('link_not_found');
  });

  it('accepts no session after twelve hours', async () => {
    const { text, world, signingIn } = buildSigningIn();
    const session = await createSession({ key: text }, signingIn);
    world.now += 12 * hour;

    const error = await serviceErrorOf(() => admitCaller(session.text, signingIn));

    expect(error.code).toBe('invalid_api_key');
  });

  it('keeps ten sessions, and the eleventh ends the oldest', async () => {
    const { text, world, signingIn } = buildSigningIn();
    const sessions: string[] = [];
    for (let count = 0; count < 11; count += 1) {
      sessions.push((await createSession({ key: text }, signingIn)).text);
    }

    const [oldest = '', next = ''] = sessions;

    expect(world.apiKey.signIns).toHaveLength(10);
    expect((await serviceErrorOf(() => admitCaller(oldest, signingIn))).code).toBe(
      'invalid_api_key',
    );
    await expect(admitCaller(next, signingIn)).resolves.toBeDefined();
  });

  it('forgets ended sessions', async () => {
    const { text, world, signingIn } = buildSigningIn();
    await createSession({ key: text }, signingIn);
    world.now += 12 * hour;

    await createSession({ key: text }, signingIn);

    expect(world.apiKey.signIns).toHaveLength(1);
  });

  it('signs in once with a link', async () => {
    const built = buildSigningIn();
    const link = await newLink(built);

    const session = await createSession({ link }, built.signingIn);
    const again = await serviceErrorOf(() => createSession({ link }, built.signingIn));

    await expect(admitCaller(session.text, built.signingIn)).resolves.toBeDefined();
    expect(again.code).toBe('link_not_found');
  });

  it('gives one session to concurrent uses of one link', async () => {
    const built = buildSigningIn();
    const link = await newLink(built);

    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => createSession({ link }, built.signingIn)),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(built.world.apiKey.signIns).toHaveLength(1);
  });

  it('accepts no link after ten minutes', async () => {
    const built = buildSigningIn();
    const link = await newLink(built);
    built.world.now += 600_000;

    const error = await serviceErrorOf(() => createSession({ link }, built.signingIn));

    expect(error.code).toBe('link_not_found');
  });

  it("doesn't change the key of a caller who may not sign in", async () => {
    const sender = buildSigningIn({ scopes: ['send_email'] });
    const manager = buildSigningIn();
    const forged = newCredential('key', manager.world.apiKey.id).text;
    const session = newCredential('session', manager.world.apiKey.id).text;
    const codeOf = async (key: string, { signingIn }: typeof manager) =>
      (await serviceErrorOf(() => createSession({ key }, signingIn))).code;

    expect(await codeOf(sender.text, sender)).toBe('missing_scope');
    expect(await codeOf(forged, manager)).toBe('invalid_api_key');
    expect(await codeOf(session, manager)).toBe('invalid_api_key');
    expect([sender, manager].map(({ world }) => world.writes)).toEqual([0, 0]);
  });

  it('accepts neither a link nor a forged session as a key', async () => {
    const built = buildSigningIn();
    const made = newCredential('session', built.world.apiKey.id).text;

    for (const credential of [await newLink(built), made]) {
      const error = await serviceErrorOf(() => admitCaller(credential, built.signingIn));
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
