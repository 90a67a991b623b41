import { expect, it } from 'vitest';
import { newCredential } from '#shared/access/credential-text';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { createSession } from '../../../functions/create-session/create-session.ts';
import { createSignInLink } from '../../../functions/create-sign-in-link/create-sign-in-link.ts';
import { endpoint as getSignInLink } from '../../../functions/get-sign-in-link/get-sign-in-link.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSigningIn } from '../../support/signing-in-builder.ts';
import { surroundings } from '../../support/surroundings.ts';

async function prepare() {
  const built = buildSigningIn();
  const organization = buildOrganization({ id: organizationIdOf(built.world.apiKey.id) });
  const organizations = {
    get: async (id: string) => (id === organization.id ? organization : undefined),
  };
  const { path, expiresAt } = await createSignInLink(built.text, built.signingIn);
  const link = path.split('#')[1] ?? '';
  const look = (text = link) =>
    getSignInLink.run(
      { ...surroundings, caller: undefined, body: { link: text } },
      { ...built.signingIn, organizations },
    );
  return { ...built, organization, link, expiresAt, look };
}

it("names the organization behind a link, and doesn't use the link up", async () => {
  const { organization, link, expiresAt, look, signingIn } = await prepare();

  const seen = await look();

  const { id, name } = organization;
  expect(seen).toEqual({ organization: { id, name }, expiresAt });
  await expect(createSession({ link }, signingIn)).resolves.toBeDefined();
});

it.each([
  ['was used', async ({ link, signingIn }) => void (await createSession({ link }, signingIn))],
  ['is too old', async ({ world, expiresAt }) => void Object.assign(world, { now: expiresAt })],
  ['has a key that was revoked', async ({ change, world }) => change({ revokedAt: world.now })],
  ['has a key that may no longer manage', async ({ change }) => change({ scopes: ['read_sends'] })],
] satisfies [string, (built: Awaited<ReturnType<typeof prepare>>) => Promise<void>][])(
  'reveals nothing about a link that %s',
  async (_, spoil) => {
    const built = await prepare();
    await spoil(built);

    const error = await serviceErrorOf(() => built.look());

    expect(error.code).toBe('link_not_found');
  },
);

it('reveals nothing about a forged link, a key or a session', async () => {
  const { look, text, world } = await prepare();
  const forged = newCredential('link', world.apiKey.id).text;

  for (const other of [forged, text, newCredential('session', world.apiKey.id).text, 'x']) {
    expect((await serviceErrorOf(() => look(other))).code).toBe('link_not_found');
  }
});
