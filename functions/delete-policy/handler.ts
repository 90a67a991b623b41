import { serve } from '#shared/endpoints/serve';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { deletePolicy } from './delete-policy.ts';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, { organizations: openOrganizationStore }, deletePolicy);
