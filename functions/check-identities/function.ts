import { identityEnvironment } from '#shared/config/environment';
import { defineFunction } from '#shared/endpoints/lambda';
import {
  looksAfterDomains,
  looksAfterTenants,
  upkeepActions,
} from '#shared/identity/identity-upkeep';

export const lambda = defineFunction({
  trigger: 'schedule',
  environment: identityEnvironment,
  tableActions: upkeepActions,
  queriesIndexes: ['gsi1'],
  sesActions: looksAfterDomains,
  tenantActions: [...looksAfterTenants, 'DeleteTenant'],
  wakesWebhookQueue: true,
  timeoutSeconds: 120,
});
