import {
  changesDomains,
  looksAfterDomains,
  looksAfterTenants,
} from '#shared/endpoints/identity-rights';
import { defineFunction } from '#shared/endpoints/lambda';

/** Nobody waits for it. What a run leaves undone, the next one does. */
export const lambda = defineFunction({
  trigger: 'schedule',
  tableActions: changesDomains,
  queriesIndexes: ['gsi1'],
  sesActions: looksAfterDomains,
  tenantActions: [...looksAfterTenants, 'DeleteTenant'],
  wakesWebhookQueue: true,
  timeoutSeconds: 120,
});
