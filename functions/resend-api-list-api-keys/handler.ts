import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { toListedResendApiKey } from '#shared/resend/api-keys';
import { pageOf } from '#shared/resend/list-page';
import { renderManagementError } from '#shared/resend/resend-error';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const listing = {
  ...openAuthentication(openTable(parseEnvironment(tableEnvironment).TABLE_NAME)),
};

export const handler = serve(
  endpoint,
  listing,
  async ({ caller, query }, { apiKeys, now }) => {
    const valid = await apiKeys.listValid(caller.organizationId, now());
    return pageOf(valid.map(toListedResendApiKey), query);
  },
  renderManagementError,
);
