import { serve } from '#shared/endpoints/serve';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { endpoint } from './endpoint.ts';
import { getSignInLink } from './get-sign-in-link.ts';

export const handler = serve(endpoint, { organizations: openOrganizationStore }, getSignInLink);
