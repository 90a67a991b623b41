import { describe, expect, it } from 'vitest';
import { admitSession } from '#shared/access/admit-caller';
import { keyShownMs } from '#shared/access/sign-in';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { createSession } from '../../../functions/create-session/create-session.ts';
import { endpoint as getSession } from '../../../functions/get-session/get-session.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSigningIn, signInNow } from '../../support/signing-in-builder.ts';
import { surroundings } from '../../support/surroundings.ts';

function prepare() {
  const built = buildSigningIn();
  const organization = buildOrganization({ id: organizationIdOf(built.world.apiKey.id) });
  const organizations = { get: async () => organization };
  const run = async (credential: string | undefined) =>
    getSession.run(
      { ...surroundings, caller: await admitSession(credential, built.signingIn) },
      { organizations, region: 'eu-west-1' },
    );
  return { ...built, organization, run };
}

describe('getSession', () => {
  it('returns whose session it is, and until when', async () => {
    const { text: key, world, signingIn, organization, run } = prepare();
    const { text } = await createSession({ key }, signingIn);

    expect(await run(text)).toEqual({
      organization: { id: organization.id, name: organization.name },
      keyId: world.apiKey.id,
      region: 'eu-west-1',
      confirmedUntil: signInNow + keyShownMs,
      expiresAt: signInNow + 43_200_000,
    });
  });

  it('rejects a key instead of a session', async () => {
    const { text, run } = prepare();

    for (const credential of [undefined, text]) {
      const error = await serviceErrorOf(() => run(credential));
      expect([error.code, error.message]).toEqual([
        'invalid_api_key',
        'You are not signed in, or your session has ended. Sign in again.',
      ]);
    }
  });
});
