/** A path of the API, for example `/api/v1/sends/{id}`, and the methods that it takes. */
export type OpenPath = { readonly path: string; readonly methods: readonly string[] };

/** The route table. The CDK stack and the local twin's gateway both read it. */
export type Route = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** HTTP API path; `{name}` is a path parameter. */
  readonly path: string;
  /** Folder under `functions/`; also the construct id. */
  readonly functionName: string;
};

export const routes = [
  { method: 'POST', path: '/api/v1/emails/send', functionName: 'send-email' },
  { method: 'POST', path: '/api/v1/emails/send-global', functionName: 'send-global-email' },
  { method: 'POST', path: '/api/v1/attachments', functionName: 'create-upload' },
  { method: 'GET', path: '/api/v1/sends', functionName: 'list-sends' },
  { method: 'GET', path: '/api/v1/sends/{id}', functionName: 'get-send' },
  {
    method: 'DELETE',
    path: '/api/v1/idempotency-keys/{key+}',
    functionName: 'free-idempotency-key',
  },
  { method: 'GET', path: '/api/v1/preferences', functionName: 'get-preferences' },
  { method: 'POST', path: '/api/v1/preferences', functionName: 'update-preferences' },
  { method: 'GET', path: '/api/v1/suppressions', functionName: 'list-suppressions' },
  { method: 'POST', path: '/api/v1/suppressions', functionName: 'create-suppression' },
  { method: 'DELETE', path: '/api/v1/suppressions/{email}', functionName: 'lift-suppression' },
  { method: 'POST', path: '/api/v1/suppressions/lift', functionName: 'lift-suppressions' },
  { method: 'POST', path: '/api/v1/suppressions/import', functionName: 'import-suppressions' },
  { method: 'GET', path: '/api/v1/suppressions/export', functionName: 'export-suppressions' },
  { method: 'GET', path: '/api/v1/recipients/{email}', functionName: 'explain-recipient' },
  { method: 'GET', path: '/api/v1/contacts', functionName: 'list-contacts' },
  { method: 'GET', path: '/api/v1/contacts/{email}', functionName: 'get-contact' },
  { method: 'DELETE', path: '/api/v1/contacts/{email}', functionName: 'erase-contact' },
  { method: 'GET', path: '/api/unsubscribe', functionName: 'show-unsubscribe' },
  { method: 'POST', path: '/api/unsubscribe', functionName: 'unsubscribe' },
  { method: 'GET', path: '/preferences', functionName: 'show-preferences' },
  { method: 'POST', path: '/preferences', functionName: 'save-preferences' },
  { method: 'GET', path: '/api/webhooks/queue/run', functionName: 'run-webhook-queue' },
  { method: 'POST', path: '/api/v1/templates', functionName: 'create-template' },
  { method: 'GET', path: '/api/v1/templates', functionName: 'list-templates' },
  { method: 'GET', path: '/api/v1/templates/{id}', functionName: 'get-template' },
  { method: 'PUT', path: '/api/v1/templates/{id}', functionName: 'update-template' },
  { method: 'DELETE', path: '/api/v1/templates/{id}', functionName: 'delete-template' },
  { method: 'POST', path: '/api/v1/templates/{id}/render', functionName: 'render-template' },
  { method: 'POST', path: '/api/v1/webhooks', functionName: 'create-webhook' },
  { method: 'GET', path: '/api/v1/webhooks', functionName: 'list-webhooks' },
  { method: 'GET', path: '/api/v1/webhooks/{id}', functionName: 'get-webhook' },
  { method: 'PATCH', path: '/api/v1/webhooks/{id}', functionName: 'update-webhook' },
  { method: 'DELETE', path: '/api/v1/webhooks/{id}', functionName: 'delete-webhook' },
  {
    method: 'POST',
    path: '/api/v1/webhooks/{id}/rotate-secret',
    functionName: 'rotate-webhook-secret',
  },
  { method: 'POST', path: '/api/v1/webhooks/{id}/test', functionName: 'test-webhook' },
  {
    method: 'POST',
    path: '/api/v1/webhooks/{id}/verify',
    functionName: 'verify-webhook-signature',
  },
  {
    method: 'GET',
    path: '/api/v1/webhooks/{id}/deliveries',
    functionName: 'list-webhook-deliveries',
  },
  {
    method: 'POST',
    path: '/api/v1/webhooks/deliveries/{id}/redeliver',
    functionName: 'redeliver-webhook-delivery',
  },
  {
    method: 'POST',
    path: '/api/v1/webhooks/{id}/redeliver-failed',
    functionName: 'redeliver-failed-deliveries',
  },
  { method: 'POST', path: '/api/v1/api-keys', functionName: 'create-api-key' },
  { method: 'GET', path: '/api/v1/api-keys', functionName: 'list-api-keys' },
  { method: 'PATCH', path: '/api/v1/api-keys/{id}', functionName: 'update-api-key' },
  { method: 'DELETE', path: '/api/v1/api-keys/{id}', functionName: 'revoke-api-key' },
  { method: 'POST', path: '/api/v1/api-keys/{id}/rotate', functionName: 'rotate-api-key' },
  { method: 'GET', path: '/api/v1/audit', functionName: 'list-audit-entries' },
  { method: 'GET', path: '/api/v1/organization', functionName: 'get-organization-settings' },
  { method: 'PATCH', path: '/api/v1/organization', functionName: 'update-organization-settings' },
  {
    method: 'POST',
    path: '/api/v1/organization/notice-email/confirmation',
    functionName: 'request-notice-confirmation',
  },
  { method: 'GET', path: '/notices/confirmation', functionName: 'show-notice-confirmation' },
  { method: 'POST', path: '/notices/confirmation', functionName: 'confirm-notice-email' },
  { method: 'GET', path: '/api/v1/policies', functionName: 'list-policies' },
  { method: 'GET', path: '/api/v1/policies/{key}', functionName: 'get-policy' },
  { method: 'PUT', path: '/api/v1/policies/{key}', functionName: 'put-policy' },
  { method: 'DELETE', path: '/api/v1/policies/{key}', functionName: 'delete-policy' },
  { method: 'POST', path: '/api/v1/categories', functionName: 'create-category' },
  { method: 'GET', path: '/api/v1/categories', functionName: 'list-categories' },
  { method: 'PATCH', path: '/api/v1/categories/{key}', functionName: 'update-category' },
  { method: 'DELETE', path: '/api/v1/categories/{key}', functionName: 'delete-category' },
  { method: 'POST', path: '/api/v1/organizations', functionName: 'create-organization' },
  { method: 'GET', path: '/api/v1/organizations', functionName: 'list-organizations' },
  { method: 'GET', path: '/api/v1/organizations/{id}', functionName: 'get-organization' },
  { method: 'PATCH', path: '/api/v1/organizations/{id}', functionName: 'update-organization' },
  { method: 'DELETE', path: '/api/v1/organizations/{id}', functionName: 'delete-organization' },
  {
    method: 'POST',
    path: '/api/v1/organizations/{id}/api-keys',
    functionName: 'create-organization-api-key',
  },
  { method: 'GET', path: '/api/v1/domain-claims', functionName: 'list-domain-claims' },
  { method: 'POST', path: '/api/v1/domain-claims', functionName: 'vouch-for-domain' },
  { method: 'DELETE', path: '/api/v1/domain-claims/{domain}', functionName: 'release-domain' },
  { method: 'PUT', path: '/api/v1/organization/identity', functionName: 'set-identity' },
  { method: 'GET', path: '/api/v1/organization/identity', functionName: 'get-identity' },
  { method: 'DELETE', path: '/api/v1/organization/identity', functionName: 'delete-identity' },
  { method: 'GET', path: '/api/v1/usage', functionName: 'get-usage' },
  { method: 'GET', path: '/api/v1/overview', functionName: 'get-overview' },
  { method: 'GET', path: '/t/c/{token}', functionName: 'track-click' },
  { method: 'HEAD', path: '/t/c/{token}', functionName: 'track-click' },
  { method: 'GET', path: '/t/o/{token}', functionName: 'track-open' },
  { method: 'HEAD', path: '/t/o/{token}', functionName: 'track-open' },
  { method: 'GET', path: '/openapi.json', functionName: 'get-openapi' },
  { method: 'GET', path: '/docs', functionName: 'show-docs' },
  { method: 'GET', path: '/console', functionName: 'show-console' },
  { method: 'GET', path: '/console/session', functionName: 'get-session' },
  { method: 'POST', path: '/console/session', functionName: 'create-session' },
  { method: 'DELETE', path: '/console/session', functionName: 'delete-session' },
  { method: 'POST', path: '/console/session/confirm', functionName: 'confirm-session' },
  { method: 'POST', path: '/console/links', functionName: 'create-sign-in-link' },
  { method: 'POST', path: '/console/links/look', functionName: 'get-sign-in-link' },
  { method: 'POST', path: '/console/preview', functionName: 'show-preview' },
  { method: 'GET', path: '/console/preview/{page}', functionName: 'show-page-preview' },
  { method: 'GET', path: '/console/{proxy+}', functionName: 'show-console' },
] as const satisfies readonly Route[];

/** Answers what no route takes: HTTP API's `$default` route leads to it. */
export const defaultFunction = 'refuse-unknown-route';

/** What the table opens, path by path. */
export const openPaths: readonly OpenPath[] = [
  ...Map.groupBy<string, Route>(routes, ({ path }) => path),
].map(([path, itsRoutes]) => ({ path, methods: itsRoutes.map(({ method }) => method) }));
