import { serveOperator } from '#shared/endpoints/serve-secret';
import { deleteOrganization } from '#shared/identity/deleted-owner';
import { openOrganizationDeletionStore } from '#shared/identity/organization-deletion-store';
import { endpoint } from './endpoint.ts';

export const handler = serveOperator(
  endpoint,
  { organizations: openOrganizationDeletionStore },
  deleteOrganization,
);
