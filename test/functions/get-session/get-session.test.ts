import { describe, expect, it } from 'vitest';
import { admitSession } from '#shared/access/admit-caller';
import { keyShownMs } from '#shared/access/sign-in';
import { createSession } from '../../../functions/create-session/create-session.ts';
import { endpoint as getSession } from '../../../functions/get-session/get-session.ts';
import { type Account, accountNow, openAccount } from '../../support/account.ts';
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
      region: 'eu-west-1',
      confirmedUntil: accountNow + keyShownMs,
      expiresAt: accountNow + 43_200_000,
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
