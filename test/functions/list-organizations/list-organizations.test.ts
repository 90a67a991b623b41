import { describe, expect, it } from 'vitest';
import { organizationPositionSchema } from '#shared/organizations/organization-store';
import { newCursorSecret, sealCursor } from '#shared/table/cursor';
import { newOrganizationId } from '#shared/tokens/resource-id';
import {
  endpoint,
  endpoint as listOrganizations,
} from '../../../functions/list-organizations/list-organizations.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { surroundings } from '../../support/surroundings.ts';

const position = organizationPositionSchema.parse(`001700000000000#${newOrganizationId()}`);
const page = { organizations: [buildOrganization()], next: position };

describe('listOrganizations', () => {
  it('reads a page of the given size from the given position', async () => {
    const asked: unknown[] = [];
    const read = async (range: unknown) => {
      asked.push(range);
      return page;
    };

    const owner = { id: 'operator', secret: newCursorSecret() };
    const cursor = sealCursor(position, { list: 'organizations', owner });

    const answer = await listOrganizations.run(
      { ...surroundings, caller: owner, query: { limit: 5, cursor: cursor ?? '' } },
      { organizations: { readPage: read } },
    );

    expect(answer).toEqual({ data: page.organizations, nextCursor: cursor });
    expect(asked).toEqual([{ before: position, limit: 5 }]);
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
