import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { pageResponse } from '#shared/http/page-response';
import { parseParameters } from '#shared/http/parse-request';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { noticeConfirmationPage } from '#shared/pages/notice-confirmation-page';
import { openTable } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring';
import { endpoint } from './endpoint.ts';
import { showNoticeConfirmation } from './show-notice-confirmation.ts';

const environment = parseEnvironment(contactEnvironment);
const confirming = {
  now: Date.now,
  keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
  organizations: openOrganizationStore(openTable(environment.TABLE_NAME)),
};

export const handler = pageEndpoint(async ({ query }) => {
  const { token } = parseParameters(endpoint.query, query);
  const { name, noticeEmail = '' } = await showNoticeConfirmation(token, confirming);
  const form = { action: `/notices/confirmation?token=${token}` };
  const page = noticeConfirmationPage({ organizationName: name, noticeEmail, form });
  return pageResponse(200, page);
});
