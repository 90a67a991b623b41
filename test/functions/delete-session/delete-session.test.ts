import { describe, expect, it } from 'vitest';
import { admitCaller } from '#shared/access/admit-caller';
import { newCredential } from '#shared/access/credential-text';
import { newApiKeyId, newOrganizationId } from '#shared/tokens/resource-id';
import { createSession } from '../../../functions/create-session/create-session.ts';
import { deleteSession } from '../../../functions/delete-session/delete-session.ts';
import { openAccount } from '../../support/account.ts';
import { presenting } from '../../support/presenting.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

describe('deleteSession', () => {
  it('ends only this session', async () => {
    const account = await openAccount();
    const one = await createSession({ key: account.credential }, account);
    const other = await createSession({ key: account.credential }, account);

    await deleteSession(one.text, account);
    await deleteSession(one.text, account);

    const error = await serviceErrorOf(() => admitCaller(presenting(one.text), account));
    expect(error.message).toContain('Sign in again');
    await expect(admitCaller(presenting(other.text), account)).resolves.toBeDefined();
  });

  it('writes nothing for a caller without a session', async () => {
    const account = await openAccount();
    const made = newCredential('session', account.apiKey.id).text;
    const before = account.items();
    const unknown = newCredential('session', newApiKeyId(newOrganizationId())).text;

    for (const credential of [undefined, '', account.credential, made, unknown]) {
      await deleteSession(credential, account);
    }

    expect(account.items()).toEqual(before);
  });
});
