import { describe, expect, it } from 'vitest';
import { createApiKey, updateApiKey } from '#shared/access/manage-api-keys';
import { createOrganizationApiKey } from '../../../functions/create-organization-api-key/create-organization-api-key.ts';
import { endpoint as getOwnApiKey } from '../../../functions/get-own-api-key/get-own-api-key.ts';
import {
  endpoint,
  endpoint as listApiKeys,
} from '../../../functions/list-api-keys/list-api-keys.ts';
import { removePerson } from '../../../functions/remove-person/remove-person.ts';
import { rotateApiKey } from '../../../functions/rotate-api-key/rotate-api-key.ts';
import { managementNow, openKeyManagement } from '../../support/api-key-management-builder.ts';
import { openPeople } from '../../support/people.ts';
import { surroundings } from '../../support/surroundings.ts';

/** An organization with the manager's key and a newer one. */
const prepare = (settings = {}) => openKeyManagement([{ createdAt: managementNow, ...settings }]);

const list = async (
  { caller, management }: Awaited<ReturnType<typeof prepare>>,
  query: { readonly limit: string; readonly cursor?: string },
) =>
  endpoint.answers[200].body.parse(
    await listApiKeys.run(
      { ...surroundings, caller, query: endpoint.query.parse(query) },
      management,
    ),
  );

describe('listApiKeys', () => {
  it("returns the organization's keys page by page, without their secrets and hashes", async () => {
    const world = await prepare();
    const { apiKey, others } = world;

    const first = await list(world, { limit: '1' });
    const rest = await list(world, { limit: '1', cursor: first.nextCursor ?? '' });

    expect(first.data).toMatchObject([{ id: world.target.id, status: 'active' }]);
    expect(rest.data).toMatchObject([{ id: apiKey.id, status: 'active' }]);
    expect(JSON.stringify(first)).not.toContain(world.target.secretHash);
    expect(JSON.stringify(first)).not.toContain(others[0]?.text.split('_').at(-1));
  });
});

describe('who created a key', () => {
  const settings = { name: 'billing', scopes: [] };
  const overlap = { overlapHours: 1 };

  /** An organization with an admin, Ann, and what the list says of its keys. */
  async function prepareAnn() {
    const account = await openPeople();
    await account.invite('ann@example.com', 'admin');
    const ann = await account.admit(await account.signIn('ann@example.com'));
    const makers = async () => {
      const query = endpoint.query.parse({});
      const page = await listApiKeys.run(
        { ...surroundings, caller: account.caller, query },
        account,
      );
      const { data } = endpoint.answers[200].body.parse(page);
      return new Map(data.map(({ id, createdBy }) => [id, createdBy]));
    };
    return { ...account, ann, makers };
  }

  it('is a person, by their address, also after they were removed', async () => {
    const { ann, caller, makers, ...account } = await prepareAnn();
    const { apiKey } = await createApiKey({ caller: ann, body: settings }, account);
    await removePerson({ caller, path: { id: ann.apiKey.id } }, account);

    const createdBy = (await makers()).get(apiKey.id);

    expect(createdBy).toEqual({ actor: ann.apiKey.id, person: 'ann@example.com' });
  });

  it('is a key, by its ID, or the operator', async () => {
    const { caller, organizationId, makers, ...account } = await prepareAnn();
    const { apiKey } = await createApiKey({ caller, body: settings }, account);
    const first = await createOrganizationApiKey(
      { caller: { actor: 'operator' }, path: { id: organizationId } },
      account,
    );

    const found = await makers();

    expect(found.get(apiKey.id)).toEqual({ actor: caller.apiKey.id });
    expect(found.get(first.apiKey.id)).toEqual({ actor: 'operator' });
  });

  it('is who rotated it, as they got the text of the new one', async () => {
    const { ann, caller, makers, ...account } = await prepareAnn();
    const { apiKey } = await createApiKey({ caller, body: settings }, account);
    const path = { id: apiKey.id };
    const successor = await rotateApiKey({ caller: ann, path, body: overlap }, account);

    const found = await makers();

    expect(found.get(successor.apiKey.id)).toMatchObject({ person: 'ann@example.com' });
    expect(found.get(apiKey.id)).toEqual({ actor: caller.apiKey.id });
  });

  it('stays with a key that somebody else changes', async () => {
    const { ann, caller, makers, ...account } = await prepareAnn();
    const { apiKey } = await createApiKey({ caller: ann, body: settings }, account);
    const change = { caller: { ...caller, session: undefined }, path: { id: apiKey.id } };
    await updateApiKey({ ...change, body: { name: 'other' } }, account);

    const createdBy = (await makers()).get(apiKey.id);

    expect(createdBy).toMatchObject({ person: 'ann@example.com' });
  });

  it('isn’t told to the program that uses the key', async () => {
    const { ann, ...account } = await prepareAnn();
    const { apiKey } = await createApiKey({ caller: ann, body: settings }, account);

    const own = await getOwnApiKey.run(
      { ...surroundings, caller: { ...account.caller, apiKey } },
      account,
    );

    expect(JSON.stringify(getOwnApiKey.answers[200].body.parse(own))).not.toContain('createdBy');
  });
});
