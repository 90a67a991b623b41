import { describe, expect, it } from 'vitest';
import { admitCaller } from '#shared/access/admit-caller';
import { newCredential } from '#shared/access/credential-text';
import { newApiKeyId, newOrganizationId } from '#shared/tokens/resource-id';
import { createSession } from '../../../functions/create-session/create-session.ts';
import { deleteSession } from '../../../functions/delete-session/delete-session.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSigningIn } from '../../support/signing-in-builder.ts';

describe('deleteSession', () => {
  it('ends only this session', async () => {
    const { text: key, signingIn } = buildSigningIn();
    const one = await createSession({ key }, signingIn);
    const other = await createSession({ key }, signingIn);

    await deleteSession(one.text, signingIn);
    await deleteSession(one.text, signingIn);

    const error = await serviceErrorOf(() => admitCaller(one.text, signingIn));
    expect(error.message).toContain('Sign in again');
    await expect(admitCaller(other.text, signingIn)).resolves.toBeDefined();
  });

  it('writes nothing for a caller without a session', async () => {
    const { text, world, signingIn } = buildSigningIn();
    const made = newCredential('session', world.apiKey.id).text;
    const unknown = newCredential('session', newApiKeyId(newOrganizationId())).text;

    for (const credential of [undefined, '', text, made, unknown]) {
      await deleteSession(credential, signingIn);
    }

    expect(world.writes).toBe(0);
  });
});
