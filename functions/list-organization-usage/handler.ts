import { serveOperator } from '#shared/endpoints/serve-secret';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openUsageStore } from '#shared/usage/usage-store';
import { endpoint } from './endpoint.ts';
import { listOrganizationUsage } from './list-organization-usage.ts';

export const handler = serveOperator(
  endpoint,
  { organizations: openOrganizationStore, usage: openUsageStore },
  listOrganizationUsage,
);
