import { describe, expect, it } from 'vitest';
import {
  endpoint,
  endpoint as listApiKeys,
} from '../../../functions/list-api-keys/list-api-keys.ts';
import { managementNow, openKeyManagement } from '../../support/api-key-management-builder.ts';
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
