import { serveOperator } from '#shared/endpoints/serve-secret';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { endpoint } from './endpoint.ts';
import { listOrganizations } from './list-organizations.ts';

export const handler = serveOperator(
  endpoint,
  { organizations: openOrganizationStore },
  listOrganizations,
);
