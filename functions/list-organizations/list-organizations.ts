import type { RequestTo } from '#shared/endpoints/endpoint';
import {
  type OrganizationStore,
  organizationPositionSchema,
} from '#shared/organizations/organization-store';
import { openCursor, sealCursor } from '#shared/table/cursor';
import type { endpoint } from './endpoint.ts';

export async function listOrganizations(
  { caller: owner, query: { limit, cursor } }: RequestTo<typeof endpoint>,
  { organizations }: { readonly organizations: Pick<OrganizationStore, 'readPage'> },
) {
  const scope = { list: 'organizations', owner };
  const before = openCursor(cursor, organizationPositionSchema, scope);
  const { organizations: data, next } = await organizations.readPage({ before, limit });
  return { data, nextCursor: sealCursor(next, scope) };
}
