import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serveResend } from '#shared/resend/serve-resend';
import { requireSuppressions, toListedSuppression } from '#shared/resend/suppressions';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = { ...openAuthentication(table), suppressionList: openSuppressionListStore(table) };

export const handler = serveResend(endpoint, reading, async ({ caller, path }, stores) => {
  const { named } = await requireSuppressions(path.id, caller.organizationId, stores);
  return { object: 'suppression' as const, ...toListedSuppression(named[0]) };
});
