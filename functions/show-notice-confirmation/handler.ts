import { servePage } from '#shared/endpoints/serve-page';
import { pageResponse } from '#shared/http/page-response';
import { findConfirmation } from '#shared/notices/find-confirmation';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { noticeConfirmationPage } from '#shared/pages/notice-confirmation-page';
import { keyringReader } from '#shared/tokens/keyring-reader';
import { endpoint } from './endpoint.ts';

export const handler = servePage(
  endpoint,
  (table, environment) => ({
    now: Date.now,
    keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
    organizations: openOrganizationStore(table),
  }),
  async ({ query: { token } }, confirming) => {
    const { organization } = await findConfirmation(token, confirming);
    const { name, noticeEmail = '' } = organization;
    const form = { action: `/notices/confirmation?token=${token}` };
    const page = noticeConfirmationPage({ organizationName: name, noticeEmail, form });
    return pageResponse(200, page);
  },
);
