import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openSuppressionStore } from '#shared/suppressions/suppression-store';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { openTable } from '#shared/table/table-client';
import { createSuppression } from './create-suppression.ts';
import { endpoint } from './endpoint.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const creation = {
  ...openAuthentication(table),
  suppressions: openSuppressionStore(table),
  suppressionList: openSuppressionListStore(table),
};

export const handler = serve(endpoint, creation, async (request) =>
  toSuppressionView(await createSuppression(request, creation)),
);
