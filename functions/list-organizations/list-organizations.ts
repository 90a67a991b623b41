import {
  type OrganizationStore,
  organizationPositionSchema,
} from '#shared/organizations/organization-store';
import { type CursorOwner, openCursor, sealCursor } from '#shared/table/cursor';
import type { ListOrganizationsQuery } from './endpoint.ts';

/**
 * Lists the organizations of the deployment, newest first.
 *
 * @throws ServiceError `validation_failed`
 */
export async function listOrganizations(
  { limit, cursor }: ListOrganizationsQuery,
  owner: CursorOwner,
  lists: Pick<OrganizationStore, 'readPage'>,
) {
  const scope = { list: 'organizations', owner };
  const before = openCursor(cursor, organizationPositionSchema, scope);
  const { organizations, next } = await lists.readPage({ before, limit });
  return { organizations, nextCursor: sealCursor(next, scope) };
}
