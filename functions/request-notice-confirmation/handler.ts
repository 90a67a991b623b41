import { serve } from '#shared/endpoints/serve';
import { openConfirmationStore } from '#shared/notices/confirmation-store';
import { settingsOf } from '#shared/organizations/organization-settings';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { endpoint } from './endpoint.ts';
import { requestNoticeConfirmation } from './request-notice-confirmation.ts';

export const handler = serve(
  endpoint,
  { organizations: openOrganizationStore, confirmations: openConfirmationStore },
  async (request, capability) => settingsOf(await requestNoticeConfirmation(request, capability)),
);
