import { describe, expect, it } from 'vitest';
import { admitSession } from '#shared/access/admit-caller';
import { scopesOfRole } from '#shared/access/roles';
import { keyShownMs } from '#shared/access/sign-in';
import { createSession } from '../../../functions/create-session/create-session.ts';
import { endpoint as getSession } from '../../../functions/get-session/get-session.ts';
import { type Account, accountNow, openAccount } from '../../support/account.ts';
import { openPeople } from '../../support/people.ts';
import { presenting } from '../../support/presenting.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const show = async (account: Account, credential: string | undefined) =>
  getSession.run(
    { ...surroundings, caller: await admitSession(presenting(credential), account) },
    { ...account, region: 'eu-west-1' },
  );

describe('getSession', () => {
  it('returns whose session it is, and until when', async () => {
    const account = await openAccount();
    const { text } = await createSession({ key: account.credential }, account);

    expect(await show(account, text)).toEqual({
      organization: { id: account.organizationId, name: account.organization.name },
      keyId: account.apiKey.id,
      scopes: account.apiKey.scopes,
      region: 'eu-west-1',
      confirmedUntil: accountNow + keyShownMs,
      expiresAt: accountNow + 43_200_000,
    });
  });

  it('names the person who signed in with their address, and what their role may do', async () => {
    const people = await openPeople();
    await people.invite('carol@example.com', 'viewer');
    const session = await people.signIn('carol@example.com');

    expect(await show(people, session)).toMatchObject({
      person: { email: 'carol@example.com', role: 'viewer' },
      scopes: scopesOfRole('viewer'),
    });
  });

  it('rejects a key instead of a session', async () => {
    const account = await openAccount();

    for (const credential of [undefined, account.credential]) {
      const error = await serviceErrorOf(() => show(account, credential));
      expect([error.code, error.message]).toEqual([
        'invalid_api_key',
        'You are not signed in, or your session has ended. Sign in again.',
      ]);
    }
  });
});
