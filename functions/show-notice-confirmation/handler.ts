import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { servePage } from '#shared/endpoints/serve-page';
import { pageResponse } from '#shared/http/page-response';
import { findConfirmation } from '#shared/notices/find-confirmation';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { noticeConfirmationPage } from '#shared/pages/notice-confirmation-page';
import { openTable } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring-reader';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(contactEnvironment);
const confirming = {
  now: Date.now,
  keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
  organizations: openOrganizationStore(openTable(environment.TABLE_NAME)),
};

export const handler = servePage(endpoint, async ({ query: { token } }) => {
  const { organization } = await findConfirmation(token, confirming);
  const { name, noticeEmail = '' } = organization;
  const form = { action: `/notices/confirmation?token=${token}` };
  const page = noticeConfirmationPage({ organizationName: name, noticeEmail, form });
  return pageResponse(200, page);
});
