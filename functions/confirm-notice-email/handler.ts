import { openOrganizationManagement } from '#shared/access/organization-management';
import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { servePage } from '#shared/endpoints/serve-page';
import { pageResponse } from '#shared/http/page-response';
import { noticeConfirmationPage } from '#shared/pages/notice-confirmation-page';
import { openTable } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring-reader';
import { confirmNoticeEmail } from './confirm-notice-email.ts';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(contactEnvironment);
const confirming = {
  ...openOrganizationManagement(openTable(environment.TABLE_NAME)),
  keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
};

export const handler = servePage(endpoint, async ({ query: { token } }) => {
  const { name, noticeEmail = '' } = await confirmNoticeEmail(token, confirming);
  return pageResponse(200, noticeConfirmationPage({ organizationName: name, noticeEmail }));
});
