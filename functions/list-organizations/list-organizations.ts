import type {
  OrganizationListStore,
  OrganizationPage,
} from '#shared/organizations/organization-list-store';
import type { ListOrganizationsQuery } from './schema.ts';

/** Lists the organizations of the deployment, newest first. */
export const listOrganizations = (
  { limit, cursor }: ListOrganizationsQuery,
  lists: OrganizationListStore,
): Promise<OrganizationPage> => lists.read({ before: cursor, limit });
