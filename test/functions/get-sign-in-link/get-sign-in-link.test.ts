import { expect, it } from 'vitest';
import { newCredential } from '#shared/access/credential-text';
import { createSession } from '../../../functions/create-session/create-session.ts';
import { createSignInLink } from '../../../functions/create-sign-in-link/create-sign-in-link.ts';
import { endpoint as getSignInLink } from '../../../functions/get-sign-in-link/get-sign-in-link.ts';
import { accountNow, openAccount } from '../../support/account.ts';
import { presenting } from '../../support/presenting.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

async function prepare() {
  const account = await openAccount();
  const { path, expiresAt } = await createSignInLink(presenting(account.credential), account);
  const link = path.split('#')[1] ?? '';
  const look = (text = link) =>
    getSignInLink.run({ ...surroundings, caller: undefined, body: { link: text } }, account);
  return { ...account, link, expiresAt, look };
}

type Linked = Awaited<ReturnType<typeof prepare>>;

it("names the organization behind a link, and doesn't use the link up", async () => {
  const { link, expiresAt, look, ...account } = await prepare();

  const seen = await look();

  const { id, name } = account.organization;
  expect(seen).toEqual({ organization: { id, name }, expiresAt });
  await expect(createSession({ link }, account)).resolves.toBeDefined();
});

it.each<readonly [string, (linked: Linked) => Promise<unknown>]>([
  ['was used', ({ link, ...account }) => createSession({ link }, account)],
  ['is too old', async ({ clock, expiresAt }) => Object.assign(clock, { at: expiresAt })],
  ['has a key that was revoked', ({ changeKey }) => changeKey({ revokedAt: accountNow })],
  ['has a key that may no longer manage', ({ changeKey }) => changeKey({ scopes: ['read_sends'] })],
])('reveals nothing about a link that %s', async (_, spoil) => {
  const linked = await prepare();
  await spoil(linked);

  const error = await serviceErrorOf(() => linked.look());

  expect(error.code).toBe('link_not_found');
});

it('reveals nothing about a forged link, a key or a session', async () => {
  const { look, credential, apiKey } = await prepare();
  const forged = newCredential('link', apiKey.id).text;

  for (const other of [forged, credential, newCredential('session', apiKey.id).text, 'x']) {
    expect((await serviceErrorOf(() => look(other))).code).toBe('link_not_found');
  }
});
