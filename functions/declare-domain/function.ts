import { identityEnvironment } from '#shared/config/environment';
import { defineFunction } from '#shared/endpoints/lambda';
import { changesDomain } from '#shared/identity/identity-rights';

/** Waits for SES to verify a domain for as long as a function may run. */
export const lambda = defineFunction({
  trigger: 'custom-resource',
  environment: identityEnvironment,
  ...changesDomain,
  sesActions: [...changesDomain.sesActions, 'UntagResource'],
  timeoutSeconds: 900,
});
