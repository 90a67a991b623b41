import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listSuppressions } from './list-suppressions.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  ...openAuthentication(table),
  suppressions: openSuppressionListStore(table),
};

export const handler = serve(endpoint, reading, async (request) => {
  const { suppressions, nextCursor } = await listSuppressions(request, reading);
  return { data: suppressions.map(toSuppressionView), nextCursor };
});
