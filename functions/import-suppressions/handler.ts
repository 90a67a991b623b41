import { setTimeout as sleep } from 'node:timers/promises';
import { openAuthentication } from '#shared/access/authenticate';
import { openDayQuotaStore } from '#shared/access/day-quota-store';
import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openSuppressionImportStore } from '#shared/suppressions/suppression-import-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { importSuppressions } from './import-suppressions.ts';

const environment = parseEnvironment(limitsEnvironment);
const table = openTable(environment.TABLE_NAME);
const importing = {
  ...openAuthentication(table),
  imports: openSuppressionImportStore(table),
  dayQuotas: openDayQuotaStore(table),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
  sleep,
};

export const handler = serve(endpoint, importing, importSuppressions);
