import { describe, expect, it } from 'vitest';
import { updateApiKey } from '#shared/access/manage-api-keys';
import { keyShownMs, newSession } from '#shared/access/sign-in';
import { endpoint as updateApiKeyEndpoint } from '../../../functions/update-api-key/update-api-key.ts';
import { managementNow, openKeyManagement } from '../../support/api-key-management-builder.ts';
import { callerWith } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const changeSchema = updateApiKeyEndpoint.body;

const end = managementNow + 1_000;
const target = {
  scopes: ['send_email' as const],
  perMinuteCap: 60,
  dailyCap: 500,
  validUntil: end,
};

/** A manager who has been signed in for so long, and another key of the organization. */
async function signedInFor(ms: number) {
  const world = await openKeyManagement([target]);
  const { signIn } = newSession(world.apiKey, { by: 'key' }, managementNow - ms);
  const caller = callerWith(world.apiKey, signIn);
  const path = { id: world.target.id };
  const change = (body: unknown) =>
    updateApiKey({ caller, path, body: changeSchema.parse(body) }, world.management);
  return { ...world, signIn, change };
}

type World = Awaited<ReturnType<typeof signedInFor>>;

const old = () => signedInFor(keyShownMs);

const wideners: readonly (readonly [string, (world: World) => Promise<unknown>])[] = [
  ['give a key a scope', ({ change }) => change({ scopes: ['send_email', 'read_sends'] })],
  ['give a key the default scopes', ({ change }) => change({ scopes: [] })],
  ['raise the cap of a minute', ({ change }) => change({ perMinuteCap: 61 })],
  ['take the cap of a day away', ({ change }) => change({ dailyCap: null })],
  ['let a key live longer', ({ change }) => change({ validUntil: end + 1 })],
];

describe('a session that has not shown its key for five minutes', () => {
  it.each(wideners)('can’t %s', async (_, run) => {
    const world = await old();
    const before = world.items();

    const error = await serviceErrorOf(() => run(world));

    expect(error.code).toBe('key_confirmation_required');
    expect(world.items()).toEqual(before);
  });

  it('can narrow a key', async () => {
    const { change } = await old();
    const narrow = { name: 'new', scopes: ['send_email'], perMinuteCap: 1, validUntil: end - 1 };

    await expect(change(narrow)).resolves.toMatchObject({ perMinuteCap: 1 });
  });
});

describe('a session that has just shown its key', () => {
  it.each(wideners)('can %s, and the audit has the session', async (_, run) => {
    const world = await signedInFor(keyShownMs - 1);

    await run(world);

    expect(await world.audit()).toMatchObject([
      { actor: world.apiKey.id, session: world.signIn.id },
    ]);
  });
});
