import { openOrganizationManagement } from '#shared/access/organization-management';
import { servePage } from '#shared/endpoints/serve-page';
import { pageResponse } from '#shared/http/page-response';
import { noticeConfirmationPage } from '#shared/pages/notice-confirmation-page';
import { keyringReader } from '#shared/tokens/keyring-reader';
import { confirmNoticeEmail } from './confirm-notice-email.ts';
import { endpoint } from './endpoint.ts';

export const handler = servePage(
  endpoint,
  (table, environment) => ({
    now: Date.now,
    ...openOrganizationManagement(table),
    keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
  }),
  async ({ query: { token } }, confirming) => {
    const { name, noticeEmail = '' } = await confirmNoticeEmail(token, confirming);
    return pageResponse(200, noticeConfirmationPage({ organizationName: name, noticeEmail }));
  },
);
