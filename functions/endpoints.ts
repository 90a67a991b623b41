/** By folder, in the order of the reference. */
export const endpoints = {
  'send-email': (await import('./send-email/send-email.ts')).endpoint,
  'send-global-email': (await import('./send-global-email/send-global-email.ts')).endpoint,
  'send-email-batch': (await import('./send-email-batch/send-email-batch.ts')).endpoint,
  'create-upload': (await import('./create-upload/create-upload.ts')).endpoint,
  'list-sends': (await import('./list-sends/list-sends.ts')).endpoint,
  'export-sends': (await import('./export-sends/export-sends.ts')).endpoint,
  'get-send': (await import('./get-send/get-send.ts')).endpoint,
  'get-send-content': (await import('./get-send-content/get-send-content.ts')).endpoint,
  'send-again': (await import('./send-again/send-again.ts')).endpoint,
  'reschedule-send': (await import('./reschedule-send/reschedule-send.ts')).endpoint,
  'cancel-send': (await import('./cancel-send/cancel-send.ts')).endpoint,
  'free-idempotency-key': (await import('./free-idempotency-key/free-idempotency-key.ts')).endpoint,
  'get-preferences': (await import('./get-preferences/get-preferences.ts')).endpoint,
  'update-preferences': (await import('./update-preferences/update-preferences.ts')).endpoint,
  'list-suppressions': (await import('./list-suppressions/list-suppressions.ts')).endpoint,
  'create-suppression': (await import('./create-suppression/create-suppression.ts')).endpoint,
  'lift-suppression': (await import('./lift-suppression/lift-suppression.ts')).endpoint,
  'lift-suppressions': (await import('./lift-suppressions/lift-suppressions.ts')).endpoint,
  'import-suppressions': (await import('./import-suppressions/import-suppressions.ts')).endpoint,
  'export-suppressions': (await import('./export-suppressions/export-suppressions.ts')).endpoint,
  'explain-recipient': (await import('./explain-recipient/explain-recipient.ts')).endpoint,
  'list-contacts': (await import('./list-contacts/list-contacts.ts')).endpoint,
  'export-contact': (await import('./export-contact/export-contact.ts')).endpoint,
  'get-contact': (await import('./get-contact/get-contact.ts')).endpoint,
  'erase-contact': (await import('./erase-contact/erase-contact.ts')).endpoint,
  'show-unsubscribe': (await import('./show-unsubscribe/show-unsubscribe.ts')).endpoint,
  unsubscribe: (await import('./unsubscribe/unsubscribe.ts')).endpoint,
  'show-preferences': (await import('./show-preferences/show-preferences.ts')).endpoint,
  'save-preferences': (await import('./save-preferences/save-preferences.ts')).endpoint,
  'retry-due-webhooks': (await import('./retry-due-webhooks/retry-due-webhooks.ts')).endpoint,
  'create-template': (await import('./create-template/create-template.ts')).endpoint,
  'list-templates': (await import('./list-templates/list-templates.ts')).endpoint,
  'get-template': (await import('./get-template/get-template.ts')).endpoint,
  'update-template': (await import('./update-template/update-template.ts')).endpoint,
  'delete-template': (await import('./delete-template/delete-template.ts')).endpoint,
  'publish-template': (await import('./publish-template/publish-template.ts')).endpoint,
  'duplicate-template': (await import('./duplicate-template/duplicate-template.ts')).endpoint,
  'render-template': (await import('./render-template/render-template.ts')).endpoint,
  'create-webhook': (await import('./create-webhook/create-webhook.ts')).endpoint,
  'list-webhooks': (await import('./list-webhooks/list-webhooks.ts')).endpoint,
  'get-webhook': (await import('./get-webhook/get-webhook.ts')).endpoint,
  'update-webhook': (await import('./update-webhook/update-webhook.ts')).endpoint,
  'delete-webhook': (await import('./delete-webhook/delete-webhook.ts')).endpoint,
  'rotate-webhook-secret': (await import('./rotate-webhook-secret/rotate-webhook-secret.ts'))
    .endpoint,
  'test-webhook': (await import('./test-webhook/test-webhook.ts')).endpoint,
  'verify-webhook-signature': (
    await import('./verify-webhook-signature/verify-webhook-signature.ts')
  ).endpoint,
  'list-webhook-deliveries': (await import('./list-webhook-deliveries/list-webhook-deliveries.ts'))
    .endpoint,
  'redeliver-webhook-delivery': (
    await import('./redeliver-webhook-delivery/redeliver-webhook-delivery.ts')
  ).endpoint,
  'redeliver-failed-deliveries': (
    await import('./redeliver-failed-deliveries/redeliver-failed-deliveries.ts')
  ).endpoint,
  'retry-webhook-delivery': (await import('./retry-webhook-delivery/retry-webhook-delivery.ts'))
    .endpoint,
  'retry-waiting-deliveries': (
    await import('./retry-waiting-deliveries/retry-waiting-deliveries.ts')
  ).endpoint,
  'create-api-key': (await import('./create-api-key/create-api-key.ts')).endpoint,
  'list-api-keys': (await import('./list-api-keys/list-api-keys.ts')).endpoint,
  'get-own-api-key': (await import('./get-own-api-key/get-own-api-key.ts')).endpoint,
  'update-api-key': (await import('./update-api-key/update-api-key.ts')).endpoint,
  'revoke-api-key': (await import('./revoke-api-key/revoke-api-key.ts')).endpoint,
  'rotate-api-key': (await import('./rotate-api-key/rotate-api-key.ts')).endpoint,
  'list-refused-requests': (await import('./list-refused-requests/list-refused-requests.ts'))
    .endpoint,
  'list-audit-entries': (await import('./list-audit-entries/list-audit-entries.ts')).endpoint,
  'export-audit-entries': (await import('./export-audit-entries/export-audit-entries.ts')).endpoint,
  'get-organization-settings': (
    await import('./get-organization-settings/get-organization-settings.ts')
  ).endpoint,
  'update-organization-settings': (
    await import('./update-organization-settings/update-organization-settings.ts')
  ).endpoint,
  'request-notice-confirmation': (
    await import('./request-notice-confirmation/request-notice-confirmation.ts')
  ).endpoint,
  'list-notice-targets': (await import('./list-notice-targets/list-notice-targets.ts')).endpoint,
  'put-notice-target': (await import('./put-notice-target/put-notice-target.ts')).endpoint,
  'delete-notice-target': (await import('./delete-notice-target/delete-notice-target.ts')).endpoint,
  'test-notice-target': (await import('./test-notice-target/test-notice-target.ts')).endpoint,
  'show-notice-confirmation': (
    await import('./show-notice-confirmation/show-notice-confirmation.ts')
  ).endpoint,
  'confirm-notice-email': (await import('./confirm-notice-email/confirm-notice-email.ts')).endpoint,
  'list-policies': (await import('./list-policies/list-policies.ts')).endpoint,
  'get-policy': (await import('./get-policy/get-policy.ts')).endpoint,
  'put-policy': (await import('./put-policy/put-policy.ts')).endpoint,
  'delete-policy': (await import('./delete-policy/delete-policy.ts')).endpoint,
  'create-category': (await import('./create-category/create-category.ts')).endpoint,
  'list-categories': (await import('./list-categories/list-categories.ts')).endpoint,
  'update-category': (await import('./update-category/update-category.ts')).endpoint,
  'delete-category': (await import('./delete-category/delete-category.ts')).endpoint,
  'create-organization': (await import('./create-organization/create-organization.ts')).endpoint,
  'list-organizations': (await import('./list-organizations/list-organizations.ts')).endpoint,
  'get-organization': (await import('./get-organization/get-organization.ts')).endpoint,
  'update-organization': (await import('./update-organization/update-organization.ts')).endpoint,
  'delete-organization': (await import('./delete-organization/delete-organization.ts')).endpoint,
  'create-organization-api-key': (
    await import('./create-organization-api-key/create-organization-api-key.ts')
  ).endpoint,
  'list-organization-usage': (await import('./list-organization-usage/list-organization-usage.ts'))
    .endpoint,
  'list-domain-claims': (await import('./list-domain-claims/list-domain-claims.ts')).endpoint,
  'vouch-for-domain': (await import('./vouch-for-domain/vouch-for-domain.ts')).endpoint,
  'release-domain': (await import('./release-domain/release-domain.ts')).endpoint,
  'set-identity': (await import('./set-identity/set-identity.ts')).endpoint,
  'get-identity': (await import('./get-identity/get-identity.ts')).endpoint,
  'delete-identity': (await import('./delete-identity/delete-identity.ts')).endpoint,
  'create-domain': (await import('./create-domain/create-domain.ts')).endpoint,
  'list-domains': (await import('./list-domains/list-domains.ts')).endpoint,
  'get-domain': (await import('./get-domain/get-domain.ts')).endpoint,
  'update-domain': (await import('./update-domain/update-domain.ts')).endpoint,
  'verify-domain': (await import('./verify-domain/verify-domain.ts')).endpoint,
  'delete-domain': (await import('./delete-domain/delete-domain.ts')).endpoint,
  'get-metrics': (await import('./get-metrics/get-metrics.ts')).endpoint,
  'get-usage': (await import('./get-usage/get-usage.ts')).endpoint,
  'get-overview': (await import('./get-overview/get-overview.ts')).endpoint,
  'track-click': (await import('./track-click/track-click.ts')).endpoint,
  'track-open': (await import('./track-open/track-open.ts')).endpoint,
  'get-openapi': (await import('./get-openapi/get-openapi.ts')).endpoint,
  'get-llms-txt': (await import('./get-llms-txt/get-llms-txt.ts')).endpoint,
  'show-docs': (await import('./show-docs/show-docs.ts')).endpoint,
  'show-console': (await import('./show-console/show-console.ts')).endpoint,
  'enter-organization': (await import('./enter-organization/enter-organization.ts')).endpoint,
  'get-session': (await import('./get-session/get-session.ts')).endpoint,
  'list-people': (await import('./list-people/list-people.ts')).endpoint,
  'invite-person': (await import('./invite-person/invite-person.ts')).endpoint,
  'update-person': (await import('./update-person/update-person.ts')).endpoint,
  'remove-person': (await import('./remove-person/remove-person.ts')).endpoint,
  'sign-out-person': (await import('./sign-out-person/sign-out-person.ts')).endpoint,
  'request-sign-in': (await import('./request-sign-in/request-sign-in.ts')).endpoint,
  'get-sign-in-options': (await import('./get-sign-in-options/get-sign-in-options.ts')).endpoint,
  'start-issuer-sign-in': (await import('./start-issuer-sign-in/start-issuer-sign-in.ts')).endpoint,
  'finish-issuer-sign-in': (await import('./finish-issuer-sign-in/finish-issuer-sign-in.ts'))
    .endpoint,
  'show-issuer-sign-out': (await import('./show-issuer-sign-out/show-issuer-sign-out.ts')).endpoint,
  'end-issuer-sessions': (await import('./end-issuer-sessions/end-issuer-sessions.ts')).endpoint,
  'create-session': (await import('./create-session/create-session.ts')).endpoint,
  'delete-session': (await import('./delete-session/delete-session.ts')).endpoint,
  'create-passkey-challenge': (
    await import('./create-passkey-challenge/create-passkey-challenge.ts')
  ).endpoint,
  'create-passkey-session': (await import('./create-passkey-session/create-passkey-session.ts'))
    .endpoint,
  'create-passkey-options': (await import('./create-passkey-options/create-passkey-options.ts'))
    .endpoint,
  'create-passkey': (await import('./create-passkey/create-passkey.ts')).endpoint,
  'list-passkeys': (await import('./list-passkeys/list-passkeys.ts')).endpoint,
  'delete-passkey': (await import('./delete-passkey/delete-passkey.ts')).endpoint,
  'confirm-session': (await import('./confirm-session/confirm-session.ts')).endpoint,
  'switch-organization': (await import('./switch-organization/switch-organization.ts')).endpoint,
  'list-own-organizations': (await import('./list-own-organizations/list-own-organizations.ts'))
    .endpoint,
  'list-sessions': (await import('./list-sessions/list-sessions.ts')).endpoint,
  'end-session': (await import('./end-session/end-session.ts')).endpoint,
  'end-other-sessions': (await import('./end-other-sessions/end-other-sessions.ts')).endpoint,
  'create-sign-in-link': (await import('./create-sign-in-link/create-sign-in-link.ts')).endpoint,
  'get-sign-in-link': (await import('./get-sign-in-link/get-sign-in-link.ts')).endpoint,
  'show-preview': (await import('./show-preview/show-preview.ts')).endpoint,
  'show-page-preview': (await import('./show-page-preview/show-page-preview.ts')).endpoint,
  'resend-api-send-email': (await import('./resend-api-send-email/resend-api-send-email.ts'))
    .endpoint,
  'resend-api-create-domain': (
    await import('./resend-api-create-domain/resend-api-create-domain.ts')
  ).endpoint,
  'resend-api-list-domains': (await import('./resend-api-list-domains/resend-api-list-domains.ts'))
    .endpoint,
  'resend-api-get-domain': (await import('./resend-api-get-domain/resend-api-get-domain.ts'))
    .endpoint,
  'resend-api-update-domain': (
    await import('./resend-api-update-domain/resend-api-update-domain.ts')
  ).endpoint,
  'resend-api-verify-domain': (
    await import('./resend-api-verify-domain/resend-api-verify-domain.ts')
  ).endpoint,
  'resend-api-delete-domain': (
    await import('./resend-api-delete-domain/resend-api-delete-domain.ts')
  ).endpoint,
  'resend-api-create-api-key': (
    await import('./resend-api-create-api-key/resend-api-create-api-key.ts')
  ).endpoint,
  'resend-api-list-api-keys': (
    await import('./resend-api-list-api-keys/resend-api-list-api-keys.ts')
  ).endpoint,
  'resend-api-update-api-key': (
    await import('./resend-api-update-api-key/resend-api-update-api-key.ts')
  ).endpoint,
  'resend-api-delete-api-key': (
    await import('./resend-api-delete-api-key/resend-api-delete-api-key.ts')
  ).endpoint,
  'resend-api-list-emails': (await import('./resend-api-list-emails/resend-api-list-emails.ts'))
    .endpoint,
  'resend-api-get-email': (await import('./resend-api-get-email/resend-api-get-email.ts')).endpoint,
  'resend-api-update-email': (await import('./resend-api-update-email/resend-api-update-email.ts'))
    .endpoint,
  'resend-api-cancel-email': (await import('./resend-api-cancel-email/resend-api-cancel-email.ts'))
    .endpoint,
  'resend-api-send-email-batch': (
    await import('./resend-api-send-email-batch/resend-api-send-email-batch.ts')
  ).endpoint,
  'resend-api-create-webhook': (
    await import('./resend-api-create-webhook/resend-api-create-webhook.ts')
  ).endpoint,
  'resend-api-list-webhooks': (
    await import('./resend-api-list-webhooks/resend-api-list-webhooks.ts')
  ).endpoint,
  'resend-api-get-webhook': (await import('./resend-api-get-webhook/resend-api-get-webhook.ts'))
    .endpoint,
  'resend-api-update-webhook': (
    await import('./resend-api-update-webhook/resend-api-update-webhook.ts')
  ).endpoint,
  'resend-api-delete-webhook': (
    await import('./resend-api-delete-webhook/resend-api-delete-webhook.ts')
  ).endpoint,
  'resend-api-rotate-webhook-secret': (
    await import('./resend-api-rotate-webhook-secret/resend-api-rotate-webhook-secret.ts')
  ).endpoint,
  'resend-api-list-webhook-events': (
    await import('./resend-api-list-webhook-events/resend-api-list-webhook-events.ts')
  ).endpoint,
  'resend-api-get-webhook-event': (
    await import('./resend-api-get-webhook-event/resend-api-get-webhook-event.ts')
  ).endpoint,
  'resend-api-list-webhook-event-attempts': (
    await import(
      './resend-api-list-webhook-event-attempts/resend-api-list-webhook-event-attempts.ts'
    )
  ).endpoint,
  'resend-api-replay-webhook-event': (
    await import('./resend-api-replay-webhook-event/resend-api-replay-webhook-event.ts')
  ).endpoint,
  'resend-api-create-suppression': (
    await import('./resend-api-create-suppression/resend-api-create-suppression.ts')
  ).endpoint,
  'resend-api-create-suppressions': (
    await import('./resend-api-create-suppressions/resend-api-create-suppressions.ts')
  ).endpoint,
  'resend-api-list-suppressions': (
    await import('./resend-api-list-suppressions/resend-api-list-suppressions.ts')
  ).endpoint,
  'resend-api-get-suppression': (
    await import('./resend-api-get-suppression/resend-api-get-suppression.ts')
  ).endpoint,
  'resend-api-delete-suppression': (
    await import('./resend-api-delete-suppression/resend-api-delete-suppression.ts')
  ).endpoint,
  'resend-api-delete-suppressions': (
    await import('./resend-api-delete-suppressions/resend-api-delete-suppressions.ts')
  ).endpoint,
  'resend-api-create-template': (
    await import('./resend-api-create-template/resend-api-create-template.ts')
  ).endpoint,
  'resend-api-get-template': (await import('./resend-api-get-template/resend-api-get-template.ts'))
    .endpoint,
  'resend-api-update-template': (
    await import('./resend-api-update-template/resend-api-update-template.ts')
  ).endpoint,
  'resend-api-publish-template': (
    await import('./resend-api-publish-template/resend-api-publish-template.ts')
  ).endpoint,
  'resend-api-duplicate-template': (
    await import('./resend-api-duplicate-template/resend-api-duplicate-template.ts')
  ).endpoint,
  'resend-api-delete-template': (
    await import('./resend-api-delete-template/resend-api-delete-template.ts')
  ).endpoint,
  'resend-api-list-templates': (
    await import('./resend-api-list-templates/resend-api-list-templates.ts')
  ).endpoint,
  'postmark-api-send-email': (await import('./postmark-api-send-email/postmark-api-send-email.ts'))
    .endpoint,
  'postmark-api-send-email-with-template': (
    await import('./postmark-api-send-email-with-template/postmark-api-send-email-with-template.ts')
  ).endpoint,
  'postmark-api-send-email-batch': (
    await import('./postmark-api-send-email-batch/postmark-api-send-email-batch.ts')
  ).endpoint,
  'postmark-api-send-email-batch-with-templates': (
    await import(
      './postmark-api-send-email-batch-with-templates/postmark-api-send-email-batch-with-templates.ts'
    )
  ).endpoint,
  'postmark-api-get-message': (
    await import('./postmark-api-get-message/postmark-api-get-message.ts')
  ).endpoint,
  'postmark-api-list-bounces': (
    await import('./postmark-api-list-bounces/postmark-api-list-bounces.ts')
  ).endpoint,
} as const;

export const backgroundFunctions = {
  'check-identities': (await import('./check-identities/check-identities.ts')).backgroundFunction,
  'check-tenant': (await import('./check-tenant/check-tenant.ts')).backgroundFunction,
  'count-usage': (await import('./count-usage/count-usage.ts')).backgroundFunction,
  'deliver-webhooks': (await import('./deliver-webhooks/deliver-webhooks.ts')).backgroundFunction,
  'forward-alarms': (await import('./forward-alarms/forward-alarms.ts')).backgroundFunction,
  'index-contacts': (await import('./index-contacts/index-contacts.ts')).backgroundFunction,
  'purge-organizations': (await import('./purge-organizations/purge-organizations.ts'))
    .backgroundFunction,
  'record-provider-event': (await import('./record-provider-event/record-provider-event.ts'))
    .backgroundFunction,
  'record-test-events': (await import('./record-test-events/record-test-events.ts'))
    .backgroundFunction,
  'refuse-unknown-route': (await import('./refuse-unknown-route/refuse-unknown-route.ts'))
    .backgroundFunction,
  'run-send-queue': (await import('./run-send-queue/run-send-queue.ts')).backgroundFunction,
  'send-notices': (await import('./send-notices/send-notices.ts')).backgroundFunction,
  'send-queued': (await import('./send-queued/send-queued.ts')).backgroundFunction,
} as const;

export const declaringFunctions = {
  'declare-domain': (await import('./declare-domain/declare-domain.ts')).backgroundFunction,
  'declare-organization': (await import('./declare-organization/declare-organization.ts'))
    .backgroundFunction,
} as const;
export type DeclaringFunctionName = keyof typeof declaringFunctions;

export type EndpointName = keyof typeof endpoints;
export type FunctionName = EndpointName | keyof typeof backgroundFunctions;

/** For requests that match no route: HTTP API's `$default` route. */
export const defaultFunction = 'refuse-unknown-route' satisfies FunctionName;
