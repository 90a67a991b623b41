import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serveResend } from '#shared/resend/serve-resend';
import {
  openNewerSuppressionsStore,
  openSuppressionListStore,
} from '#shared/suppressions/suppression-list-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listResendSuppressions } from './list-resend-suppressions.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const listing = {
  ...openAuthentication(table),
  suppressionList: openSuppressionListStore(table),
  newer: openNewerSuppressionsStore(table),
};

export const handler = serveResend(endpoint, listing, listResendSuppressions);
