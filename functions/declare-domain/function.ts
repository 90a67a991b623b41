import { identityEnvironment } from '#shared/config/environment';
import { defineFunction } from '#shared/endpoints/lambda';
import {
  domainChanges,
  looksAfterDomains,
  looksAfterTenants,
} from '#shared/identity/identity-upkeep';

/** Waits for SES to verify a domain for as long as a function may run. */
export const lambda = defineFunction({
  trigger: 'custom-resource',
  environment: identityEnvironment,
  tableActions: domainChanges,
  sesActions: [...looksAfterDomains, 'GetAccount', 'UntagResource'],
  tenantActions: looksAfterTenants,
  wakesWebhookQueue: true,
  timeoutSeconds: 900,
});
