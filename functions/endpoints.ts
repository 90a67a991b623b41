/** By folder, in the order of the reference. */
export const endpoints = {
  'send-email': (await import('./send-email/endpoint.ts')).endpoint,
  'send-global-email': (await import('./send-global-email/endpoint.ts')).endpoint,
  'send-email-batch': (await import('./send-email-batch/endpoint.ts')).endpoint,
  'create-upload': (await import('./create-upload/endpoint.ts')).endpoint,
  'list-sends': (await import('./list-sends/endpoint.ts')).endpoint,
  'export-sends': (await import('./export-sends/endpoint.ts')).endpoint,
  'get-send': (await import('./get-send/endpoint.ts')).endpoint,
  'get-send-content': (await import('./get-send-content/endpoint.ts')).endpoint,
  'resend-send': (await import('./resend-send/endpoint.ts')).endpoint,
  'reschedule-send': (await import('./reschedule-send/endpoint.ts')).endpoint,
  'cancel-send': (await import('./cancel-send/endpoint.ts')).endpoint,
  'free-idempotency-key': (await import('./free-idempotency-key/endpoint.ts')).endpoint,
  'get-preferences': (await import('./get-preferences/endpoint.ts')).endpoint,
  'update-preferences': (await import('./update-preferences/endpoint.ts')).endpoint,
  'list-suppressions': (await import('./list-suppressions/endpoint.ts')).endpoint,
  'create-suppression': (await import('./create-suppression/endpoint.ts')).endpoint,
  'lift-suppression': (await import('./lift-suppression/endpoint.ts')).endpoint,
  'lift-suppressions': (await import('./lift-suppressions/endpoint.ts')).endpoint,
  'import-suppressions': (await import('./import-suppressions/endpoint.ts')).endpoint,
  'export-suppressions': (await import('./export-suppressions/endpoint.ts')).endpoint,
  'explain-recipient': (await import('./explain-recipient/endpoint.ts')).endpoint,
  'list-contacts': (await import('./list-contacts/endpoint.ts')).endpoint,
  'get-contact': (await import('./get-contact/endpoint.ts')).endpoint,
  'erase-contact': (await import('./erase-contact/endpoint.ts')).endpoint,
  'show-unsubscribe': (await import('./show-unsubscribe/endpoint.ts')).endpoint,
  unsubscribe: (await import('./unsubscribe/endpoint.ts')).endpoint,
  'show-preferences': (await import('./show-preferences/endpoint.ts')).endpoint,
  'save-preferences': (await import('./save-preferences/endpoint.ts')).endpoint,
  'run-webhook-queue': (await import('./run-webhook-queue/endpoint.ts')).endpoint,
  'create-template': (await import('./create-template/endpoint.ts')).endpoint,
  'list-templates': (await import('./list-templates/endpoint.ts')).endpoint,
  'get-template': (await import('./get-template/endpoint.ts')).endpoint,
  'update-template': (await import('./update-template/endpoint.ts')).endpoint,
  'delete-template': (await import('./delete-template/endpoint.ts')).endpoint,
  'publish-template': (await import('./publish-template/endpoint.ts')).endpoint,
  'duplicate-template': (await import('./duplicate-template/endpoint.ts')).endpoint,
  'render-template': (await import('./render-template/endpoint.ts')).endpoint,
  'create-webhook': (await import('./create-webhook/endpoint.ts')).endpoint,
  'list-webhooks': (await import('./list-webhooks/endpoint.ts')).endpoint,
  'get-webhook': (await import('./get-webhook/endpoint.ts')).endpoint,
  'update-webhook': (await import('./update-webhook/endpoint.ts')).endpoint,
  'delete-webhook': (await import('./delete-webhook/endpoint.ts')).endpoint,
  'rotate-webhook-secret': (await import('./rotate-webhook-secret/endpoint.ts')).endpoint,
  'test-webhook': (await import('./test-webhook/endpoint.ts')).endpoint,
  'verify-webhook-signature': (await import('./verify-webhook-signature/endpoint.ts')).endpoint,
  'list-webhook-deliveries': (await import('./list-webhook-deliveries/endpoint.ts')).endpoint,
  'redeliver-webhook-delivery': (await import('./redeliver-webhook-delivery/endpoint.ts')).endpoint,
  'redeliver-failed-deliveries': (await import('./redeliver-failed-deliveries/endpoint.ts'))
    .endpoint,
  'create-api-key': (await import('./create-api-key/endpoint.ts')).endpoint,
  'list-api-keys': (await import('./list-api-keys/endpoint.ts')).endpoint,
  'get-own-api-key': (await import('./get-own-api-key/endpoint.ts')).endpoint,
  'update-api-key': (await import('./update-api-key/endpoint.ts')).endpoint,
  'revoke-api-key': (await import('./revoke-api-key/endpoint.ts')).endpoint,
  'rotate-api-key': (await import('./rotate-api-key/endpoint.ts')).endpoint,
  'list-refused-requests': (await import('./list-refused-requests/endpoint.ts')).endpoint,
  'list-audit-entries': (await import('./list-audit-entries/endpoint.ts')).endpoint,
  'get-organization-settings': (await import('./get-organization-settings/endpoint.ts')).endpoint,
  'update-organization-settings': (await import('./update-organization-settings/endpoint.ts'))
    .endpoint,
  'request-notice-confirmation': (await import('./request-notice-confirmation/endpoint.ts'))
    .endpoint,
  'show-notice-confirmation': (await import('./show-notice-confirmation/endpoint.ts')).endpoint,
  'confirm-notice-email': (await import('./confirm-notice-email/endpoint.ts')).endpoint,
  'list-policies': (await import('./list-policies/endpoint.ts')).endpoint,
  'get-policy': (await import('./get-policy/endpoint.ts')).endpoint,
  'put-policy': (await import('./put-policy/endpoint.ts')).endpoint,
  'delete-policy': (await import('./delete-policy/endpoint.ts')).endpoint,
  'create-category': (await import('./create-category/endpoint.ts')).endpoint,
  'list-categories': (await import('./list-categories/endpoint.ts')).endpoint,
  'update-category': (await import('./update-category/endpoint.ts')).endpoint,
  'delete-category': (await import('./delete-category/endpoint.ts')).endpoint,
  'create-organization': (await import('./create-organization/endpoint.ts')).endpoint,
  'list-organizations': (await import('./list-organizations/endpoint.ts')).endpoint,
  'get-organization': (await import('./get-organization/endpoint.ts')).endpoint,
  'update-organization': (await import('./update-organization/endpoint.ts')).endpoint,
  'delete-organization': (await import('./delete-organization/endpoint.ts')).endpoint,
  'create-organization-api-key': (await import('./create-organization-api-key/endpoint.ts'))
    .endpoint,
  'list-organization-usage': (await import('./list-organization-usage/endpoint.ts')).endpoint,
  'list-domain-claims': (await import('./list-domain-claims/endpoint.ts')).endpoint,
  'vouch-for-domain': (await import('./vouch-for-domain/endpoint.ts')).endpoint,
  'release-domain': (await import('./release-domain/endpoint.ts')).endpoint,
  'set-identity': (await import('./set-identity/endpoint.ts')).endpoint,
  'get-identity': (await import('./get-identity/endpoint.ts')).endpoint,
  'delete-identity': (await import('./delete-identity/endpoint.ts')).endpoint,
  'create-domain': (await import('./create-domain/endpoint.ts')).endpoint,
  'list-domains': (await import('./list-domains/endpoint.ts')).endpoint,
  'get-domain': (await import('./get-domain/endpoint.ts')).endpoint,
  'update-domain': (await import('./update-domain/endpoint.ts')).endpoint,
  'verify-domain': (await import('./verify-domain/endpoint.ts')).endpoint,
  'delete-domain': (await import('./delete-domain/endpoint.ts')).endpoint,
  'get-usage': (await import('./get-usage/endpoint.ts')).endpoint,
  'get-overview': (await import('./get-overview/endpoint.ts')).endpoint,
  'track-click': (await import('./track-click/endpoint.ts')).endpoint,
  'track-open': (await import('./track-open/endpoint.ts')).endpoint,
  'get-openapi': (await import('./get-openapi/endpoint.ts')).endpoint,
  'get-llms-txt': (await import('./get-llms-txt/endpoint.ts')).endpoint,
  'show-docs': (await import('./show-docs/endpoint.ts')).endpoint,
  'show-console': (await import('./show-console/endpoint.ts')).endpoint,
  'get-session': (await import('./get-session/endpoint.ts')).endpoint,
  'create-session': (await import('./create-session/endpoint.ts')).endpoint,
  'delete-session': (await import('./delete-session/endpoint.ts')).endpoint,
  'confirm-session': (await import('./confirm-session/endpoint.ts')).endpoint,
  'create-sign-in-link': (await import('./create-sign-in-link/endpoint.ts')).endpoint,
  'get-sign-in-link': (await import('./get-sign-in-link/endpoint.ts')).endpoint,
  'show-preview': (await import('./show-preview/endpoint.ts')).endpoint,
  'show-page-preview': (await import('./show-page-preview/endpoint.ts')).endpoint,
  'resend-api-send-email': (await import('./resend-api-send-email/endpoint.ts')).endpoint,
  'resend-api-create-domain': (await import('./resend-api-create-domain/endpoint.ts')).endpoint,
  'resend-api-list-domains': (await import('./resend-api-list-domains/endpoint.ts')).endpoint,
  'resend-api-get-domain': (await import('./resend-api-get-domain/endpoint.ts')).endpoint,
  'resend-api-update-domain': (await import('./resend-api-update-domain/endpoint.ts')).endpoint,
  'resend-api-verify-domain': (await import('./resend-api-verify-domain/endpoint.ts')).endpoint,
  'resend-api-delete-domain': (await import('./resend-api-delete-domain/endpoint.ts')).endpoint,
  'resend-api-create-api-key': (await import('./resend-api-create-api-key/endpoint.ts')).endpoint,
  'resend-api-list-api-keys': (await import('./resend-api-list-api-keys/endpoint.ts')).endpoint,
  'resend-api-update-api-key': (await import('./resend-api-update-api-key/endpoint.ts')).endpoint,
  'resend-api-delete-api-key': (await import('./resend-api-delete-api-key/endpoint.ts')).endpoint,
  'resend-api-list-emails': (await import('./resend-api-list-emails/endpoint.ts')).endpoint,
  'resend-api-get-email': (await import('./resend-api-get-email/endpoint.ts')).endpoint,
  'resend-api-update-email': (await import('./resend-api-update-email/endpoint.ts')).endpoint,
  'resend-api-cancel-email': (await import('./resend-api-cancel-email/endpoint.ts')).endpoint,
  'resend-api-send-email-batch': (await import('./resend-api-send-email-batch/endpoint.ts'))
    .endpoint,
  'resend-api-create-webhook': (await import('./resend-api-create-webhook/endpoint.ts')).endpoint,
  'resend-api-list-webhooks': (await import('./resend-api-list-webhooks/endpoint.ts')).endpoint,
  'resend-api-get-webhook': (await import('./resend-api-get-webhook/endpoint.ts')).endpoint,
  'resend-api-update-webhook': (await import('./resend-api-update-webhook/endpoint.ts')).endpoint,
  'resend-api-delete-webhook': (await import('./resend-api-delete-webhook/endpoint.ts')).endpoint,
  'resend-api-rotate-webhook-secret': (
    await import('./resend-api-rotate-webhook-secret/endpoint.ts')
  ).endpoint,
  'resend-api-list-webhook-events': (await import('./resend-api-list-webhook-events/endpoint.ts'))
    .endpoint,
  'resend-api-get-webhook-event': (await import('./resend-api-get-webhook-event/endpoint.ts'))
    .endpoint,
  'resend-api-list-webhook-event-attempts': (
    await import('./resend-api-list-webhook-event-attempts/endpoint.ts')
  ).endpoint,
  'resend-api-replay-webhook-event': (await import('./resend-api-replay-webhook-event/endpoint.ts'))
    .endpoint,
  'resend-api-create-suppression': (await import('./resend-api-create-suppression/endpoint.ts'))
    .endpoint,
  'resend-api-create-suppressions': (await import('./resend-api-create-suppressions/endpoint.ts'))
    .endpoint,
  'resend-api-list-suppressions': (await import('./resend-api-list-suppressions/endpoint.ts'))
    .endpoint,
  'resend-api-get-suppression': (await import('./resend-api-get-suppression/endpoint.ts')).endpoint,
  'resend-api-delete-suppression': (await import('./resend-api-delete-suppression/endpoint.ts'))
    .endpoint,
  'resend-api-delete-suppressions': (await import('./resend-api-delete-suppressions/endpoint.ts'))
    .endpoint,
  'resend-api-create-template': (await import('./resend-api-create-template/endpoint.ts')).endpoint,
  'resend-api-get-template': (await import('./resend-api-get-template/endpoint.ts')).endpoint,
  'resend-api-update-template': (await import('./resend-api-update-template/endpoint.ts')).endpoint,
  'resend-api-publish-template': (await import('./resend-api-publish-template/endpoint.ts'))
    .endpoint,
  'resend-api-duplicate-template': (await import('./resend-api-duplicate-template/endpoint.ts'))
    .endpoint,
  'resend-api-delete-template': (await import('./resend-api-delete-template/endpoint.ts')).endpoint,
  'resend-api-list-templates': (await import('./resend-api-list-templates/endpoint.ts')).endpoint,
  'postmark-api-send-email': (await import('./postmark-api-send-email/endpoint.ts')).endpoint,
  'postmark-api-send-email-with-template': (
    await import('./postmark-api-send-email-with-template/endpoint.ts')
  ).endpoint,
  'postmark-api-send-email-batch': (await import('./postmark-api-send-email-batch/endpoint.ts'))
    .endpoint,
  'postmark-api-send-email-batch-with-templates': (
    await import('./postmark-api-send-email-batch-with-templates/endpoint.ts')
  ).endpoint,
  'postmark-api-get-message': (await import('./postmark-api-get-message/endpoint.ts')).endpoint,
  'postmark-api-list-bounces': (await import('./postmark-api-list-bounces/endpoint.ts')).endpoint,
} as const;

export const backgroundFunctions = {
  'check-identities': (await import('./check-identities/function.ts')).lambda,
  'check-tenant': (await import('./check-tenant/function.ts')).lambda,
  'count-usage': (await import('./count-usage/function.ts')).lambda,
  'deliver-webhooks': (await import('./deliver-webhooks/function.ts')).lambda,
  'index-contacts': (await import('./index-contacts/function.ts')).lambda,
  'purge-organizations': (await import('./purge-organizations/function.ts')).lambda,
  'record-provider-event': (await import('./record-provider-event/function.ts')).lambda,
  'record-test-events': (await import('./record-test-events/function.ts')).lambda,
  'refuse-unknown-route': (await import('./refuse-unknown-route/function.ts')).lambda,
  'run-send-queue': (await import('./run-send-queue/function.ts')).lambda,
  'send-notices': (await import('./send-notices/function.ts')).lambda,
  'send-queued': (await import('./send-queued/function.ts')).lambda,
} as const;

export const declaringFunctions = {
  'declare-domain': (await import('./declare-domain/function.ts')).lambda,
  'declare-organization': (await import('./declare-organization/function.ts')).lambda,
} as const;
export type DeclaringFunctionName = keyof typeof declaringFunctions;

export type EndpointName = keyof typeof endpoints;
export type FunctionName = EndpointName | keyof typeof backgroundFunctions;

/** For requests that match no route: HTTP API's `$default` route. */
export const defaultFunction = 'refuse-unknown-route' satisfies FunctionName;
