import { openValidKeyStore } from '#shared/access/api-key-store';
import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { toListedResendApiKey } from '#shared/resend/api-keys';
import { pageOf } from '#shared/resend/list-page';
import { serveResend } from '#shared/resend/serve-resend';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const listing = { ...openAuthentication(table), ...openValidKeyStore(table) };

export const handler = serveResend(
  endpoint,
  listing,
  async ({ caller, query }, { listValid, now }) => {
    const valid = await listValid(caller.organizationId, now());
    return pageOf(valid.map(toListedResendApiKey), query);
  },
);
