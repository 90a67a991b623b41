import { type ErrorCode, ServiceError } from '#shared/errors/service-error';
import { UnreadableItemError } from '#shared/errors/unreadable-item';
import type { HttpResponse } from './http-response.ts';

/** Why this status: the one place that turns an error code into HTTP. */
const problems = {
  malformed_json: { status: 400, title: 'Malformed JSON' },
  malformed_body: { status: 400, title: 'Malformed body' },
  unsupported_content_type: { status: 400, title: 'Unsupported content type' },
  validation_failed: { status: 400, title: 'Validation failed' },
  unknown_policy: { status: 400, title: 'Unknown policy' },
  bulk_needs_one_recipient: { status: 400, title: 'Bulk email needs one recipient' },
  recipients_exceed_cap: { status: 400, title: 'More recipients than the cap' },
  ambiguous_contact: { status: 400, title: 'Ambiguous contact' },
  unknown_category: { status: 400, title: 'Unknown category' },
  invalid_api_key: { status: 401, title: 'Invalid API key' },
  invalid_cron_secret: { status: 401, title: 'Invalid cron secret' },
  invalid_operator_secret: { status: 401, title: 'Invalid operator secret' },
  plan_required: { status: 402, title: 'Plan required' },
  too_many: { status: 400, title: 'Too many attachments' },
  invalid_base64: { status: 400, title: 'Invalid base64' },
  unknown_upload: { status: 400, title: 'Unknown upload' },
  too_large: { status: 413, title: 'Attachments too large' },
  missing_scope: { status: 403, title: 'Missing scope' },
  key_confirmation_required: { status: 403, title: 'API key needed again' },
  other_api_key: { status: 403, title: 'Another API key' },
  tenant_paused: { status: 403, title: 'Organization paused' },
  no_active_identity: { status: 403, title: 'No active From identity' },
  endpoint_not_found: { status: 404, title: 'Endpoint not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  organization_not_found: { status: 404, title: 'Organization not found' },
  identity_not_found: { status: 404, title: 'Identity not found' },
  domain_claim_not_found: { status: 404, title: 'Domain claim not found' },
  domain_taken: { status: 409, title: 'Domain taken' },
  identity_rejected: { status: 422, title: 'Provider rejected the domain' },
  send_not_found: { status: 404, title: 'Send not found' },
  suppression_not_found: { status: 404, title: 'Suppression not found' },
  contact_not_found: { status: 404, title: 'Contact not found' },
  template_not_found: { status: 404, title: 'Template not found' },
  template_name_taken: { status: 409, title: 'Template name taken' },
  version_mismatch: { status: 412, title: 'Version mismatch' },
  rendered_too_large: { status: 413, title: 'Rendered template too large' },
  link_not_found: { status: 404, title: 'Link not found' },
  link_withdrawn: { status: 404, title: 'Link withdrawn' },
  link_held: { status: 403, title: 'Link held' },
  sender_gone: { status: 410, title: 'Sender gone' },
  api_key_not_found: { status: 404, title: 'API key not found' },
  webhook_not_found: { status: 404, title: 'Webhook not found' },
  delivery_not_found: { status: 404, title: 'Delivery not found' },
  policy_not_found: { status: 404, title: 'Policy not found' },
  category_not_found: { status: 404, title: 'Category not found' },
  too_many_api_keys: { status: 409, title: 'Too many API keys' },
  too_many_templates: { status: 409, title: 'Too many templates' },
  too_many_policies: { status: 409, title: 'Too many policies' },
  policy_in_use: { status: 409, title: 'Policy in use' },
  too_many_categories: { status: 409, title: 'Too many categories' },
  category_key_taken: { status: 409, title: 'Category key taken' },
  category_in_use: { status: 409, title: 'Category in use' },
  too_many_webhooks: { status: 409, title: 'Too many webhooks' },
  webhook_disabled: { status: 409, title: 'Webhook disabled' },
  api_key_revoked: { status: 409, title: 'API key revoked' },
  api_key_rotated: { status: 409, title: 'API key rotated already' },
  last_manager_key: { status: 409, title: 'Last manager key' },
  nothing_to_confirm: { status: 409, title: 'Nothing to confirm' },
  idempotency_key_not_found: { status: 404, title: 'Idempotency key not found' },
  send_in_doubt: { status: 409, title: 'Send in doubt' },
  concurrent_change: { status: 409, title: 'Changed by another request' },
  idempotency_in_progress: { status: 409, title: 'Idempotency key in progress' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused' },
  rate_limited: { status: 429, title: 'Rate limit exceeded' },
  organization_rate_limited: { status: 429, title: 'Organization sends too fast' },
  daily_recipients_exhausted: { status: 429, title: 'Recipients of the day used up' },
  upload_limit_reached: { status: 429, title: 'Uploads of the day used up' },
  provider_throttled: { status: 429, title: 'Provider throttled' },
  provider_unreachable: { status: 500, title: 'Provider not reached' },
  provider_rejected: { status: 500, title: 'Provider rejected the email' },
  provider_outcome_unknown: { status: 500, title: 'Provider outcome unknown' },
  import_in_progress: { status: 409, title: 'Import in progress' },
  erasure_unfinished: { status: 409, title: 'Erasure not finished' },
  contact_digest_mismatch: { status: 500, title: 'Another contact digest' },
  stored_item_unreadable: { status: 500, title: 'Stored item unreadable' },
  internal_error: { status: 500, title: 'Internal error' },
} as const satisfies Record<ErrorCode, { status: number; title: string }>;

export const statusOf = (code: ErrorCode): number => problems[code].status;

/** Renders an error as RFC 9457 problem details, with `Retry-After` where a retry may help. */
export function problemResponse(error: ServiceError, requestId: string): HttpResponse {
  const { status, title } = problems[error.code];
  const headers: Record<string, string> = { 'Content-Type': 'application/problem+json' };
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = `${error.retryAfterSeconds}`;
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  return {
    statusCode: status,
    headers,
    body: JSON.stringify({
      type: `urn:problem:${error.code}`,
      title,
      status,
      detail: error.message,
      instance: `urn:request:${requestId}`,
      code: error.code,
      requestId,
      ...(error.errors && { errors: error.errors }),
    }),
  };
}

/**
 * Turns a thrown value into an error for the caller. Anything that is not ours becomes `internal_error`,
 * which says nothing of it.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof UnreadableItemError) {
    return new ServiceError(
      'stored_item_unreadable',
      `What is stored as ${error.item} can't be read, at ${error.fields.join(', ')}. Retrying won't help: the operator of this deployment has to look, and finds it in the log by this requestId.`,
      { cause: error },
    );
  }
  return new ServiceError(
    'internal_error',
    'Something went wrong on our side. Retry with the same Idempotency-Key; if it lasts, give us the requestId.',
    { cause: error },
  );
}
