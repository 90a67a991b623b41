import {
  type OrganizationListStore,
  organizationPositionSchema,
} from '#shared/organizations/organization-list-store';
import { type CursorOwner, openCursor, sealCursor } from '#shared/table/cursor';
import type { ListOrganizationsQuery } from './schema.ts';

/**
 * Lists the organizations of the deployment, newest first.
 *
 * @throws ServiceError `validation_failed`
 */
export async function listOrganizations(
  { limit, cursor }: ListOrganizationsQuery,
  owner: CursorOwner,
  lists: OrganizationListStore,
) {
  const scope = { list: 'organizations', owner };
  const before = openCursor(cursor, organizationPositionSchema, scope);
  const { organizations, next } = await lists.read({ before, limit });
  return { organizations, nextCursor: sealCursor(next, scope) };
}
