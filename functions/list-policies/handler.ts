import { organizationOf } from '#shared/access/admit-caller';
import { serve } from '#shared/endpoints/serve';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { policyViewsOf } from '#shared/organizations/policy-view';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  { organizations: openOrganizationStore },
  async ({ caller }, { organizations }) => ({
    data: policyViewsOf(await organizationOf(caller, organizations)),
    nextCursor: null,
  }),
);
