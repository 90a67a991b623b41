import { serve } from '#shared/endpoints/serve';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { endpoint } from './endpoint.ts';
import { getSession } from './get-session.ts';

export const handler = serve(
  endpoint,
  (table, { AWS_REGION: region }) => ({
    organizations: openOrganizationStore(table),
    region,
  }),
  getSession,
);
