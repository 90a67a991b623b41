import { describe, expect, it } from 'vitest';
import type { Role } from '#shared/access/roles';
import { newIssuerSession, withSignIn } from '#shared/access/sign-in';
import { settlePeople } from '#shared/oidc/issuer-people';
import { personalKeyIdOf } from '#shared/tokens/resource-id';
import { openAccount } from '../../support/account.ts';

const identity = 'ann@example.com';
const subject = 'digest of an account';

/** An organization whose only manager an issuer has made, and is signed in. */
async function openWithLastManager() {
  const account = await openAccount();
  const { organizationId, table, now, storedKey, changeKey } = account;
  const id = personalKeyIdOf(organizationId, identity);
  const settle = (role?: Role) => {
    const roles = new Map(role === undefined ? [] : [[organizationId, role] as const]);
    return settlePeople(
      { identity, isVerified: true, subject, roles, before: [id] },
      { table, now },
    );
  };
  await settle('admin');
  await changeKey({ revokedAt: account.clock.at });
  const { signIn } = newIssuerSession({ id }, { shownAt: undefined, oidc: { subject } }, now());
  await changeKey({ signIns: withSignIn(undefined, signIn, now()) }, id);
  return { ...account, settle, stored: () => storedKey(id) };
}

describe('the last manager of an organization', () => {
  it.each([
    ['don’t name them', undefined],
    ['give them a lower role', 'viewer'],
  ] as const)(
    'stays, signed out, and can’t come back while the claims %s',
    async (_which, role) => {
      const { settle, stored, audit } = await openWithLastManager();

      const [first, again] = [await settle(role), await settle(role)];

      expect([first, again]).toEqual([[], []]);
      const { person, revokedAt, signIns = [] } = await stored();
      expect({ person, revokedAt }).toMatchObject({
        person: { role: 'admin', isUnnamed: true },
        revokedAt: undefined,
      });
      expect(signIns).toEqual([]);
      const ended = (await audit()).filter(({ action }) => action === 'session.ended');
      expect(ended).toMatchObject([{ actor: 'issuer' }]);
    },
  );

  it('is one again once the claims name them', async () => {
    const { settle, stored } = await openWithLastManager();
    await settle();

    const [back] = await settle('admin');

    expect(back?.person).toMatchObject({ role: 'admin' });
    expect((await stored()).person).not.toHaveProperty('isUnnamed');
  });
});
