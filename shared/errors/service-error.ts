/** Every machine-readable error code of the API. `shared/http/problem-response.ts` gives each its status. */
export const errorCodes = [
  'malformed_json',
  'malformed_body',
  'unsupported_content_type',
  'validation_failed',
  'unknown_policy',
  'bulk_needs_one_recipient',
  'recipients_exceed_cap',
  'ambiguous_contact',
  'unknown_category',
  'invalid_api_key',
  'invalid_cron_secret',
  'invalid_operator_secret',
  'plan_required',
  'too_many',
  'too_large',
  'invalid_base64',
  'unknown_upload',
  'missing_scope',
  'key_confirmation_required',
  'other_api_key',
  'tenant_paused',
  'no_active_identity',
  'identity_not_found',
  'domain_taken',
  'domain_claim_not_found',
  'identity_rejected',
  'endpoint_not_found',
  'method_not_allowed',
  'organization_not_found',
  'send_not_found',
  'contact_not_found',
  'suppression_not_found',
  'template_not_found',
  'template_name_taken',
  'version_mismatch',
  'rendered_too_large',
  'link_not_found',
  'link_withdrawn',
  'link_held',
  'sender_gone',
  'api_key_not_found',
  'webhook_not_found',
  'delivery_not_found',
  'policy_not_found',
  'category_not_found',
  'too_many_api_keys',
  'too_many_templates',
  'too_many_policies',
  'policy_in_use',
  'too_many_categories',
  'category_key_taken',
  'category_in_use',
  'too_many_webhooks',
  'webhook_disabled',
  'nothing_to_confirm',
  'api_key_revoked',
  'api_key_rotated',
  'last_manager_key',
  'concurrent_change',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'idempotency_key_not_found',
  'send_in_doubt',
  'rate_limited',
  'organization_rate_limited',
  'daily_recipients_exhausted',
  'upload_limit_reached',
  'provider_throttled',
  'provider_unreachable',
  'provider_rejected',
  'provider_outcome_unknown',
  'erasure_unfinished',
  'import_in_progress',
  'contact_digest_mismatch',
  'stored_item_unreadable',
  'internal_error',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** One fault in a request: `path` is the JSON path of the field, for example `cc.3`. */
export type FieldError = { readonly path: string; readonly message: string };

type ServiceErrorOptions = {
  readonly errors?: readonly FieldError[];
  /** When a retry may succeed, in whole seconds, at least 1. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
};

/**
 * Ends the request. `detail` reaches the caller, so it names what to do next and holds no secret,
 * no address and no raw cause; `cause` reaches only the log, and there only by its class name.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail: string, options: ServiceErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A request whose fields are at fault. `detail` says the first: SDKs and logs often show nothing else. */
export function validationFailed(errors: readonly FieldError[]): ServiceError {
  const [first, ...others] = errors;
  const fault = first ? `${first.path}: ${first.message}` : 'The request is not valid.';
  const detail = others.length === 0 ? fault : `${fault} (and ${others.length} more: see errors)`;
  return new ServiceError('validation_failed', detail, { errors });
}

/** One fault in the request, as `validation_failed`. */
export const invalidField = (path: string, message: string): ServiceError =>
  validationFailed([{ path, message }]);

/** Whole seconds from `now` until `moment` (both epoch milliseconds), never below 1. */
export function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / 1000));
}
