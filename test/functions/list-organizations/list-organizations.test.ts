import { describe, expect, it } from 'vitest';
import { putOrganization } from '#shared/organizations/organization-store';
import {
  endpoint,
  endpoint as listOrganizations,
} from '../../../functions/list-organizations/list-organizations.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { operator, surroundings } from '../../support/surroundings.ts';

describe('listOrganizations', () => {
  it('lists the newest first, in pages of the given size', async () => {
    const { table } = openMemoryTable();
    const [oldest, middle, newest] = [1, 2, 3].map((createdAt) => buildOrganization({ createdAt }));
    for (const one of [oldest, middle, newest]) if (one) await putOrganization(table, one);
    const list = (cursor: string | null = null) =>
      listOrganizations.run(
        {
          ...surroundings,
          caller: operator,
          query: { limit: 2, ...(cursor !== null && { cursor }) },
        },
        { table, now: Date.now, limitsOfDeployment: {} },
      );

    const first = await list();
    const second = await list(first.nextCursor);

    expect(first.data).toEqual([newest, middle]);
    expect(second).toEqual({ data: [oldest], nextCursor: null });
  });
});

describe('the query', () => {
  it('asks for the newest twenty by default', () => {
    expect(endpoint.query.parse({})).toEqual({ limit: 20 });
  });

  it.each([{ limit: '0' }, { limit: '101' }])('is refused as %o', (query) => {
    expect(endpoint.query.safeParse(query).success).toBe(false);
  });
});
