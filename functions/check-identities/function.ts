import { identityEnvironment } from '#shared/config/environment';
import { defineFunction } from '#shared/endpoints/lambda';
import {
  changesDomains,
  looksAfterDomains,
  looksAfterTenants,
} from '#shared/identity/identity-rights';

export const lambda = defineFunction({
  trigger: 'schedule',
  environment: identityEnvironment,
  tableActions: changesDomains,
  queriesIndexes: ['gsi1'],
  sesActions: looksAfterDomains,
  tenantActions: [...looksAfterTenants, 'DeleteTenant'],
  wakesWebhookQueue: true,
  timeoutSeconds: 120,
});
