import { setTimeout as sleep } from 'node:timers/promises';
import { openDayQuotaStore } from '#shared/access/day-quota-store';
import { serve } from '#shared/endpoints/serve';
import { openSuppressionImportStore } from '#shared/suppressions/suppression-import-store';
import { endpoint } from './endpoint.ts';
import { importSuppressions } from './import-suppressions.ts';

export const handler = serve(
  endpoint,
  (table) => ({
    imports: openSuppressionImportStore(table),
    dayQuotas: openDayQuotaStore(table),
    sleep,
  }),
  importSuppressions,
);
