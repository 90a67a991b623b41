import { organizationOf } from '#shared/access/admit-caller';
import { serve } from '#shared/endpoints/serve';
import { settingsOf } from '#shared/organizations/organization-settings';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  { organizations: openOrganizationStore },
  async ({ caller }, { organizations }) => settingsOf(await organizationOf(caller, organizations)),
);
