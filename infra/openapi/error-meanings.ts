import type { ErrorCode } from '#shared/errors/service-error';

/** What happened, and what to do about it. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  malformed_json: 'The body is not JSON. Mend the request.',
  malformed_body: 'A form or body is not what its `Content-Type` says. Mend the request.',
  unsupported_content_type:
    'The header `Content-Type` is missing, or names another type than the endpoint takes. Mend it.',
  validation_failed: 'A field is missing or not valid. Read `errors`.',
  unknown_policy: 'The organization has no policy of that `policyKey`. Use one that it has.',
  bulk_needs_one_recipient:
    'The policy is of kind `bulk`, and the request has `cc` or `bcc`. Send one email to each recipient.',
  recipients_exceed_cap:
    'The email has more recipients than the cap of the API key. Nothing was sent. Split it, or have the cap raised: waiting never helps.',
  ambiguous_contact: 'Several organizations know this address. Use a token or an API key.',
  unknown_category: 'A `categoryKey` is no category of the organization. Nothing was changed.',
  invalid_api_key:
    'The API key is missing, malformed, unknown, revoked or expired, or the session has ended.',
  invalid_cron_secret: '`X-Cron-Secret` is missing or wrong.',
  invalid_operator_secret: '`X-Operator-Secret` is missing or wrong.',
  organization_not_found: 'The deployment has no such organization.',
  api_key_not_found: 'The organization has no such API key.',
  api_key_revoked: 'The API key is revoked. Create another.',
  api_key_rotated: 'The API key has a successor, which `detail` names. Rotate that one.',
  last_manager_key:
    'Without this key nobody could manage the organization. Rotate it, or create another with the scope first.',
  nothing_to_confirm:
    'The organization has no address for notices, or it is confirmed. Set another to change it.',
  policy_not_found: 'The organization has no policy with this key.',
  policy_in_use: 'The policy is the default of the organization. Set another default first.',
  too_many_api_keys:
    'The organization has as many API keys as it may have, or too many that were revoked in the last 30 days. Revoke one, wait, or ask the operator.',
  too_many_templates:
    'The organization has as many templates as it may have. Delete one, or ask the operator.',
  too_many_policies: 'The organization has as many policies as it may have. Delete one.',
  category_not_found: 'The organization has no category with this key.',
  category_key_taken: 'The organization has a category with this key. Choose another.',
  category_in_use:
    'Policies, which `detail` names, name the category. Change or delete them first.',
  too_many_categories: 'The organization has as many categories as it may have. Delete one.',
  identity_not_found: 'The organization has no From identity. Set one.',
  domain_claim_not_found: 'The organization has nothing to do with the domain.',
  domain_taken:
    "The domain is in the AWS account's SES already, and was not set here. Ask the operator.",
  identity_rejected: 'SES does not take the domain; `detail` has AWS’s reason.',
  plan_required:
    'Attachments are not enabled, or could not be confirmed: `detail` says which. Ask the operator, or retry later.',
  too_many: 'More attachments than the deployment allows. Send fewer.',
  too_large: 'The attachments are together larger than allowed. Send less.',
  invalid_base64: '`contentBase64` is not base64 with padding, on one line. Mend the encoding.',
  unknown_upload:
    'An `uploadId` is not there, or its file never came, or it expired. Upload again.',
  missing_scope: 'The key lacks the scope that `detail` names. Use another key.',
  key_confirmation_required:
    'The session has not shown its API key lately. Show it by POST /console/session/confirm, or use the key itself.',
  other_api_key:
    'The session began with a different API key. Enter that one, or sign in with this one.',
  tenant_paused: 'The organization is paused, by the operator or by SES. Ask the operator.',
  no_active_identity: 'The organization has no verified From identity. Ask the operator.',
  endpoint_not_found: 'There is no endpoint at this path.',
  method_not_allowed: 'The path has other methods: `Allow` names them.',
  send_not_found: 'No send of your organization has this id, or it is older than the retention.',
  suppression_not_found: 'The address has no such suppression.',
  contact_not_found: 'The organization has no such contact, or the token is not valid.',
  template_not_found: 'The organization has no such template.',
  template_name_taken: 'Another template has the name. Choose another.',
  version_mismatch: 'The template has another version than `If-Match` says. Read it again.',
  rendered_too_large: 'The template renders to more than 1 MB, or takes too many steps.',
  link_not_found: 'The link is forged, altered, used up, too old, or signed by a key that is gone.',
  link_withdrawn:
    'The organization that sent the email was deleted, or the operator has switched off its links.',
  link_held:
    'The organization is paused, so its links redirect nobody. `detail` says where this one leads.',
  sender_gone:
    'The organization that sent the email was deleted. It sends no more email, so there is nothing left to choose.',
  webhook_not_found: 'The organization has no such webhook endpoint.',
  delivery_not_found: 'The organization has no such webhook delivery.',
  too_many_webhooks: 'The organization has as many webhook endpoints as it may have. Delete one.',
  webhook_disabled: 'The webhook endpoint is disabled. Enable it first.',
  concurrent_change: 'Other requests are changing the same thing. Read it again, then repeat.',
  idempotency_in_progress:
    'A request with this key is under way, or its outcome is being found out. Wait for `Retry-After`, same key.',
  idempotency_key_reused:
    'The key was used for a different request. Use a new key for a new email.',
  idempotency_key_not_found: 'No send of your organization has the idempotency key: it is free.',
  send_in_doubt:
    'SES may have the email of the key, so freeing the key could send a second one. Repeat the request that made it.',
  rate_limited: 'Too many requests. Nothing was done. Wait for `Retry-After`.',
  organization_rate_limited:
    'The organization sends faster than the operator lets it. Nothing was sent. Wait for `Retry-After`, same key.',
  daily_recipients_exhausted:
    'The organization has sent to as many recipients today (UTC) as the operator lets it. Nothing was sent. Wait for `Retry-After`, or ask the operator.',
  upload_limit_reached:
    'The organization has asked for uploads of as many bytes today (UTC) as the operator lets it. Wait for `Retry-After`, or ask the operator.',
  provider_throttled:
    'SES limits how much is sent, and how often it is asked. Nothing was done. Wait for `Retry-After`, same key.',
  provider_unreachable:
    'SES could not be reached. Nothing was sent. Wait for `Retry-After`, same key.',
  provider_rejected: 'SES refused the email; `detail` has its reason. Nothing was sent.',
  provider_outcome_unknown: 'The email may be out. Wait for `Retry-After`, same key.',
  import_in_progress:
    'Another import of this organization is under way. Wait for `Retry-After`, repeat.',
  erasure_unfinished: 'Part of the erasure is left to do. Wait for `Retry-After`, repeat.',
  contact_digest_mismatch:
    'The deployment has another `CONTACT_DIGEST_KEY` than the organization was made with, so no suppression would be found. Nothing was done. Tell the operator.',
  stored_item_unreadable:
    "A stored item can't be read by this version of the service. `detail` names the item and its fields; the operator has to look.",
  internal_error:
    'A fault of the service. Repeat the request, with the same idempotency key if it had one.',
};

/** Codes whose answer says, in `Retry-After`, when to try again. */
export const codesWithRetryAfter: ReadonlySet<ErrorCode> = new Set([
  'idempotency_in_progress',
  'rate_limited',
  'organization_rate_limited',
  'daily_recipients_exhausted',
  'upload_limit_reached',
  'provider_throttled',
  'provider_unreachable',
  'provider_outcome_unknown',
  'erasure_unfinished',
  'import_in_progress',
]);
