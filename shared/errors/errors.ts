type ErrorFacts = {
  readonly status: number;
  /** RFC 9457: the same for every occurrence. */
  readonly title: string;
  /** What happened, and what to do. For the reference, and the default detail. */
  readonly meaning: string;
  /** `Retry-After` says when to try again. */
  readonly retryAfter?: true;
  /** The caller showed no valid key, session or secret. An alarm counts these. */
  readonly refusesCredential?: true;
};

/** Every error of the API, by its stable, machine-readable code. */
export const errors = {
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    meaning: 'The body isn’t valid JSON, nests too deep, or has too many parts.',
  },
  malformed_body: {
    status: 400,
    title: 'Malformed body',
    meaning: 'The body doesn’t match its `Content-Type`.',
  },
  unsupported_content_type: {
    status: 400,
    title: 'Unsupported content type',
    meaning: '`Content-Type` is missing, or isn’t one that the endpoint accepts.',
  },
  validation_failed: {
    status: 400,
    title: 'Validation failed',
    meaning: 'A field is missing or invalid. `errors` says which, and why.',
  },
  unknown_policy: {
    status: 400,
    title: 'Unknown policy',
    meaning:
      'The organization has no policy with this `policyKey`. `GET /api/v1/policies` lists those it has.',
  },
  bulk_needs_one_recipient: {
    status: 400,
    title: 'Bulk email needs one recipient',
    meaning:
      'An email with a `bulk` policy has one recipient, without `cc` or `bcc`. Send one email to each.',
  },
  recipients_exceed_cap: {
    status: 400,
    title: 'More recipients than the cap',
    meaning:
      'The request has more recipients than the API key’s cap or the organization’s limits allow. Nothing was sent. Split it, or have the limit raised.',
  },
  ambiguous_contact: {
    status: 400,
    title: 'Ambiguous contact',
    meaning: 'Several organizations have a contact with this address. Use an API key or a token.',
  },
  unknown_category: {
    status: 400,
    title: 'Unknown category',
    meaning: 'The organization has no such category: see `errors`. Nothing was changed.',
  },
  invalid_api_key: {
    status: 401,
    refusesCredential: true,
    title: 'Invalid API key',
    meaning:
      'The API key is missing, malformed, unknown, revoked or expired, or the session has ended.',
  },
  invalid_cron_secret: {
    status: 401,
    refusesCredential: true,
    title: 'Invalid cron secret',
    meaning: '`X-Cron-Secret` is missing or wrong.',
  },
  invalid_operator_secret: {
    status: 401,
    refusesCredential: true,
    title: 'Invalid operator secret',
    meaning: '`X-Operator-Secret` is missing or wrong.',
  },
  plan_required: {
    status: 402,
    title: 'Plan required',
    meaning:
      'Attachments aren’t enabled: ask the operator. With `Retry-After`, the service couldn’t check: wait, then repeat.',
    retryAfter: true,
  },
  too_many: {
    status: 400,
    title: 'Too many attachments',
    meaning: 'There are more attachments than the deployment allows. Send fewer.',
  },
  too_large: {
    status: 413,
    title: 'Too large',
    meaning:
      'Too large: the attachments together, a file to upload, an email for later, a form, or a body without a key. Send less.',
  },
  invalid_base64: {
    status: 400,
    title: 'Invalid base64',
    meaning: '`contentBase64` is not base64 with padding, on one line. Fix the encoding.',
  },
  unknown_upload: {
    status: 400,
    title: 'Unknown upload',
    meaning:
      'An `uploadId` is unknown or expired, or its file was never uploaded. Upload it again.',
  },
  attachment_not_fetched: {
    status: 422,
    title: 'Attachment not fetched',
    meaning:
      'A file couldn’t be fetched from its `url`: see `errors`. Nothing was sent. Fix it, then repeat with the same key.',
  },
  missing_scope: {
    status: 403,
    title: 'Missing scope',
    meaning: 'The key lacks the scope that `detail` names. Use one that has it.',
  },
  test_key: {
    status: 403,
    title: 'Test key',
    meaning:
      'A test key can only send test emails, read them and free their idempotency keys. Use a real key for the rest.',
  },
  key_confirmation_required: {
    status: 403,
    title: 'API key needed again',
    meaning:
      'The session hasn’t confirmed its API key recently. Confirm it with `POST /console/session/confirm`, or use the key itself.',
  },
  recent_sign_in_required: {
    status: 403,
    title: 'Recent sign-in needed',
    meaning: 'The person hasn’t signed in recently. Sign in again, then repeat the request.',
  },
  person_required: {
    status: 403,
    title: 'Person required',
    meaning:
      'The session was started with an API key. Sign in with an address that the organization has invited.',
  },
  passkey_refused: {
    status: 403,
    refusesCredential: true,
    title: 'Passkey refused',
    meaning:
      'The passkey is unknown, was removed, or opens no organization; or its answer is late, altered or was used before. Try again, or sign in with a link.',
  },
  key_sign_in_off: {
    status: 403,
    title: 'Keys don’t sign in',
    meaning:
      'This deployment doesn’t let API keys, or links made with them, sign in to the console (`consoleKeySignIn`). Sign in with your email address; an admin invites you. If no admin can sign in, the operator sets `consoleKeySignIn` to `true` and deploys.',
  },
  other_browser: {
    status: 403,
    title: 'Different browser',
    meaning: 'The link was asked for in another browser. Open it there, or ask for one here.',
  },
  oidc_sign_in_failed: {
    status: 403,
    title: 'Sign-in failed',
    meaning:
      'The identity provider’s answer isn’t one to the request of this browser within the last ten minutes, or isn’t valid. Nobody was signed in. Start again at /console.',
  },
  oidc_email_not_verified: {
    status: 403,
    title: 'Address not verified',
    meaning:
      'The account at the identity provider has no email address, or one that isn’t verified. Correct that there, then sign in again.',
  },
  oidc_no_access: {
    status: 403,
    title: 'No access',
    meaning:
      'The identity provider knows the account, but none of its claims give it a role here. Ask whoever manages access in your company.',
  },
  other_api_key: {
    status: 403,
    title: 'Different API key',
    meaning:
      'The session was started with a different API key. Enter that one, or sign in with this one.',
  },
  tenant_paused: {
    status: 403,
    title: 'Organization paused',
    meaning: 'The organization is paused, by the operator or by SES. Ask the operator.',
  },
  no_active_identity: {
    status: 403,
    title: 'No active domain',
    meaning:
      'The domain of `from` (or the default domain, without `from`) isn’t active. `GET /api/v1/domains/{domain}` says what it still lacks.',
  },
  from_not_allowed: {
    status: 403,
    title: 'From address not allowed',
    meaning:
      'The API key may only send from some addresses (`allowedFrom`), and this isn’t one of them.',
  },
  content_not_kept: {
    status: 404,
    title: 'Content not kept',
    meaning:
      'This email’s content isn’t stored: storage was off (`keepContentDays`, or the policy’s `keepsContent`), its time is up, its recipient was erased, or storing it failed.',
  },
  attachments_not_kept: {
    status: 409,
    title: 'Attachments not kept',
    meaning:
      'The email’s attachments aren’t stored, though its text is. Send it from your program.',
  },
  identity_not_found: {
    status: 404,
    title: 'No default domain',
    meaning:
      'The organization has no default domain. Set one with `PUT /api/v1/organization/identity`.',
  },
  domain_not_found: {
    status: 404,
    title: 'Domain not found',
    meaning:
      'The organization has no such domain. `GET /api/v1/domains` lists them; `POST /api/v1/domains` adds one.',
  },
  domain_exists: {
    status: 409,
    title: 'Domain exists',
    meaning:
      'The organization already has this domain. Change it, or make it the default, with `PATCH /api/v1/domains/{domain}`.',
  },
  domain_not_active: {
    status: 409,
    title: 'Domain not active',
    meaning:
      'Only an active domain can be the default. Publish its missing DNS records, and repeat once it’s active.',
  },
  domain_taken: {
    status: 409,
    title: 'Domain taken',
    meaning:
      'The AWS account already uses this domain in SES, outside this organization. Ask the operator.',
  },
  domain_claim_not_found: {
    status: 404,
    title: 'Domain claim not found',
    meaning: 'The organization has no claim to this domain. `GET /api/v1/domain-claims` lists all.',
  },
  identity_rejected: {
    status: 422,
    title: 'Provider rejected the domain',
    meaning: 'SES rejected the domain; `detail` has its reason.',
  },
  endpoint_not_found: {
    status: 404,
    title: 'Endpoint not found',
    meaning: 'There is no endpoint at this path.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path doesn’t take this method. `Allow` lists those it takes.',
  },
  encoding_not_acceptable: {
    status: 406,
    title: 'Encoding not acceptable',
    meaning:
      'This document is so large that it’s only sent compressed. Ask for it with `Accept-Encoding: gzip`, as `curl --compressed` does.',
  },
  organization_not_found: {
    status: 404,
    title: 'Organization not found',
    meaning: 'No organization has this ID, or the person can’t sign in to it.',
  },
  send_not_found: {
    status: 404,
    title: 'Send not found',
    meaning: 'No send has this ID, or it’s past its retention period.',
  },
  contact_not_found: {
    status: 404,
    title: 'Contact not found',
    meaning: 'No contact has this address, or the token is not valid.',
  },
  suppression_not_found: {
    status: 404,
    title: 'Suppression not found',
    meaning:
      'The address has no such suppression. An unsubscription is lifted only with `reason=unsubscribe`.',
  },
  template_not_found: {
    status: 404,
    title: 'Template not found',
    meaning: 'Your organization has no template with this ID.',
  },
  template_name_taken: {
    status: 409,
    title: 'Template name taken',
    meaning: 'Another template has this name. Choose a different one.',
  },
  template_alias_taken: {
    status: 409,
    title: 'Template alias taken',
    meaning: 'Another template has this alias. Choose a different one.',
  },
  layout_in_use: {
    status: 409,
    title: 'Layout in use',
    meaning: 'Templates use this layout. Give them another or none, then delete it.',
  },
  version_mismatch: {
    status: 412,
    title: 'Version mismatch',
    meaning:
      'The template has changed since the version in `If-Match`. Read it again, then repeat.',
  },
  rendered_too_large: {
    status: 413,
    title: 'Rendered template too large',
    meaning:
      'With these variables the template renders to more than 1 MB, or takes too many steps.',
  },
  link_domain_taken: {
    status: 409,
    title: 'Link domain taken',
    meaning:
      'Another organization has this link domain, or still has links there. Choose another, or first remove it there with `linkDomain` and `formerLinkDomains`, which breaks that organization’s links.',
  },
  link_not_found: {
    status: 404,
    title: 'Link not found',
    meaning: 'The link is incomplete, altered, expired or already used.',
  },
  link_withdrawn: {
    status: 404,
    title: 'Link withdrawn',
    meaning: 'The sender of this email was deleted, or the operator has turned off its links.',
  },
  link_held: {
    status: 403,
    title: 'Link held',
    meaning:
      'The sender of this email is paused, so its links do not redirect. `detail` says where this one leads.',
  },
  sender_gone: {
    status: 410,
    title: 'Sender gone',
    meaning: 'The sender of this email was deleted. It sends no more email.',
  },
  api_key_not_found: {
    status: 404,
    title: 'API key not found',
    meaning: 'The organization has no such API key.',
  },
  person_not_found: {
    status: 404,
    title: 'Person not found',
    meaning: 'The organization has no such person.',
  },
  oidc_not_configured: {
    status: 404,
    title: 'No identity provider',
    meaning: 'This deployment has no identity provider. Sign in another way at /console.',
  },
  oidc_logout_token_invalid: {
    status: 400,
    title: 'Logout token invalid',
    meaning:
      'The `logout_token` isn’t one that the identity provider has just made for this service. Nothing was changed.',
  },
  person_managed_by_issuer: {
    status: 409,
    title: 'Managed by the identity provider',
    meaning:
      'The person’s role follows from what the identity provider says at each sign-in. Change it there, or remove the person and invite them.',
  },
  passkey_not_found: {
    status: 404,
    title: 'Passkey not found',
    meaning: 'The person has no such passkey.',
  },
  too_many_passkeys: {
    status: 409,
    title: 'Too many passkeys',
    meaning: 'The person has as many passkeys as possible. Remove one first.',
  },
  session_not_found: {
    status: 404,
    title: 'Session not found',
    meaning: 'You have no such session, or it has ended.',
  },
  person_exists: {
    status: 409,
    title: 'Already invited',
    meaning:
      'The organization has a person with this address. Change their role, or remove them to invite them again.',
  },
  too_many_people: {
    status: 409,
    title: 'Too many people',
    meaning: 'The organization has reached its limit of people. Remove one first.',
  },
  webhook_not_found: {
    status: 404,
    title: 'Webhook not found',
    meaning: 'Your organization has no webhook endpoint with this ID.',
  },
  delivery_not_found: {
    status: 404,
    title: 'Delivery not found',
    meaning: 'Your organization has no webhook delivery with this ID, or it has expired.',
  },
  policy_not_found: {
    status: 404,
    title: 'Policy not found',
    meaning: 'The organization has no policy with this key.',
  },
  category_not_found: {
    status: 404,
    title: 'Category not found',
    meaning: 'The organization has no category with this key.',
  },
  notice_target_not_found: {
    status: 404,
    title: 'Notice target not found',
    meaning:
      'Your organization has no target for notices with this key. `GET /api/v1/notice-targets` lists those it has.',
  },
  too_many_api_keys: {
    status: 409,
    title: 'Too many API keys',
    meaning:
      'The organization has reached its limit of API keys, or too many ended recently. Revoke one, wait, or ask the operator.',
  },
  too_many_templates: {
    status: 409,
    title: 'Too many templates',
    meaning:
      'Your organization has reached its limit of templates. Delete one, or ask the operator.',
  },
  too_many_policies: {
    status: 409,
    title: 'Too many policies',
    meaning: 'The organization has reached its limit of policies. Delete one, or ask the operator.',
  },
  policy_in_use: {
    status: 409,
    title: 'Policy in use',
    meaning:
      'The policy is the default of the organization. Set a different `defaultPolicyKey` first.',
  },
  too_many_domains: {
    status: 409,
    title: 'Too many domains',
    meaning: 'The organization has reached its limit of domains. Delete one, or ask the operator.',
  },
  too_many_categories: {
    status: 409,
    title: 'Too many categories',
    meaning:
      'The organization has reached its limit of categories. Delete one, or ask the operator.',
  },
  too_many_notice_targets: {
    status: 409,
    title: 'Too many notice targets',
    meaning: 'The organization has five targets for notices, the most there can be. Delete one.',
  },
  category_key_taken: {
    status: 409,
    title: 'Category key taken',
    meaning: 'The organization already has a category with this key. Choose a different key.',
  },
  category_in_use: {
    status: 409,
    title: 'Category in use',
    meaning: 'Policies use the category; `detail` names them. Change or delete them first.',
  },
  too_many_webhooks: {
    status: 409,
    title: 'Too many webhooks',
    meaning: 'Your organization has reached its limit of webhook endpoints. Delete one.',
  },
  webhook_disabled: {
    status: 409,
    title: 'Webhook disabled',
    meaning:
      'The webhook endpoint is disabled. Enable it with PATCH `{"enabled": true}`, then repeat.',
  },
  webhook_paused: {
    status: 409,
    title: 'Webhook paused',
    meaning:
      'Deliveries to the webhook endpoint are paused. Resume them with PATCH `{"paused": false}`, then repeat.',
  },
  delivery_not_waiting: {
    status: 409,
    title: 'Delivery not waiting',
    meaning:
      'The delivery has ended, so it has no attempt to bring forward. Repeat it with `POST /api/v1/webhooks/deliveries/{id}/redeliver`.',
  },
  nothing_to_confirm: {
    status: 409,
    title: 'Nothing to confirm',
    meaning:
      'No address for notices is waiting for confirmation: none is set, or it is confirmed already. Set `noticeEmail` with `PATCH /api/v1/organization`.',
  },
  api_key_revoked: {
    status: 409,
    title: 'API key revoked',
    meaning: 'The API key is revoked, which is final. Create a new one.',
  },
  api_key_rotated: {
    status: 409,
    title: 'API key already rotated',
    meaning: 'The API key already has a successor, which `detail` names. Rotate that one.',
  },
  last_manager_key: {
    status: 409,
    title: 'Last manager key',
    meaning:
      'Without it, nobody could manage the organization. Rotate it, or create another key with `manage_organization` first. Another admin who has signed in will do, too.',
  },
  concurrent_change: {
    status: 409,
    title: 'Changed by another request',
    meaning: 'Another request changed it at the same time. Read it again, then repeat.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Idempotency key in progress',
    meaning:
      'A request with this key is in progress, or its outcome isn’t known yet. Wait for `Retry-After`, then repeat with the same key.',
    retryAfter: true,
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    meaning: 'This key was used for a different request. Use a new key for a new email.',
  },
  idempotency_key_not_found: {
    status: 404,
    title: 'Idempotency key not found',
    meaning: 'No send of your organization has this idempotency key, or the send has expired.',
  },
  send_not_waiting: {
    status: 409,
    title: 'Send not waiting',
    meaning:
      'The email is no longer scheduled or queued. `GET /api/v1/sends/{id}` shows what became of it.',
  },
  send_waiting: {
    status: 409,
    title: 'Send waiting',
    meaning:
      'The email sent with this key is scheduled or queued. Cancel it first (POST /api/v1/sends/{id}/cancel), or wait until it has gone out.',
  },
  send_in_doubt: {
    status: 409,
    title: 'Send in doubt',
    meaning:
      'SES may have taken the email sent with this key, so freeing it could send a second one. Repeat the original request to settle the send, or use another key.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limit exceeded',
    meaning: 'Too many requests. Nothing was done. Wait for `Retry-After`.',
    retryAfter: true,
  },
  organization_rate_limited: {
    status: 429,
    title: 'Organization sending too fast',
    meaning:
      'The organization is sending faster than its limit. Nothing was sent. Wait for `Retry-After`, then repeat with the same key.',
    retryAfter: true,
  },
  daily_recipients_exhausted: {
    status: 429,
    title: 'Daily recipients used up',
    meaning:
      'The organization has used up today’s recipients (UTC). Nothing was sent. Wait for `Retry-After`, or ask the operator.',
    retryAfter: true,
  },
  change_limit_reached: {
    status: 429,
    title: 'Daily changes used up',
    meaning:
      'The organization has used up today’s changes (UTC). Nothing was changed. Wait for `Retry-After`, or ask the operator. Keys can still be revoked.',
    retryAfter: true,
  },
  contact_limit_reached: {
    status: 429,
    title: 'Daily contacts used up',
    meaning:
      'The organization has used up today’s imports, unsubscriptions with a key and erasures of unknown addresses (UTC). Nothing was stored. Wait for `Retry-After`, or ask the operator.',
    retryAfter: true,
  },
  slow_fetch_limit_reached: {
    status: 429,
    title: 'Too many slow files at once',
    meaning:
      'Too many of the organization’s requests are waiting for files from a slow `url`. Nothing was sent. Wait for `Retry-After`, then repeat with the same key, or send the file itself.',
    retryAfter: true,
  },
  upload_limit_reached: {
    status: 429,
    title: 'Daily uploads used up',
    meaning:
      'Today’s uploads (UTC) leave no room for one of this size. Wait for `Retry-After`, or ask the operator.',
    retryAfter: true,
  },
  waiting_limit_reached: {
    status: 429,
    title: 'Daily storage for later emails used up',
    meaning:
      'Today’s scheduled and queued emails (UTC) leave no room for one of this size. Nothing was stored. Wait for `Retry-After`, send it now instead, or ask the operator.',
    retryAfter: true,
  },
  delivery_limit_reached: {
    status: 429,
    title: 'Daily requested deliveries used up',
    meaning:
      'Today’s webhook tests and repeated deliveries (UTC) leave no room for this request. Nothing was sent. Wait for `Retry-After`, or ask the operator. Events are delivered as before.',
    retryAfter: true,
  },
  sign_in_link_limit_reached: {
    status: 429,
    title: 'Daily sign-in links used up',
    meaning:
      'The organization has used up today’s sign-in links (UTC). Sign in with the API key itself, wait for `Retry-After`, or ask the operator.',
    retryAfter: true,
  },
  provider_throttled: {
    status: 429,
    title: 'Provider throttled',
    meaning:
      'SES limits how fast it can be called. Nothing was done. Wait for `Retry-After`, then repeat with the same key.',
    retryAfter: true,
  },
  oidc_unavailable: {
    status: 503,
    title: 'Identity provider unavailable',
    meaning:
      'The identity provider can’t be reached, or its answer can’t be used. Nobody was signed in. Wait for `Retry-After`, then start again at /console.',
    retryAfter: true,
  },
  provider_not_ready: {
    status: 503,
    title: 'Provider not ready',
    meaning:
      'AWS takes a few seconds before a newly created domain can be changed. Nothing is lost. Wait for `Retry-After`, then repeat the request.',
    retryAfter: true,
  },
  provider_unreachable: {
    status: 500,
    title: 'Provider unreachable',
    meaning:
      'SES could not be reached. Nothing was sent. Wait for `Retry-After`, then repeat with the same key.',
    retryAfter: true,
  },
  provider_rejected: {
    status: 500,
    title: 'Provider rejected the email',
    meaning: 'SES rejected the email; `detail` has its reason. Nothing was sent.',
  },
  provider_outcome_unknown: {
    status: 500,
    title: 'Provider outcome unknown',
    meaning:
      'SES may or may not have sent the email. Wait for `Retry-After`, then repeat with the same key: it never sends twice.',
    retryAfter: true,
  },
  erasure_unfinished: {
    status: 409,
    title: 'Erasure not finished',
    meaning: 'The erasure isn’t complete yet. Wait for `Retry-After`, then repeat.',
    retryAfter: true,
  },
  import_in_progress: {
    status: 409,
    title: 'Import in progress',
    meaning:
      'Another import of this organization is in progress. Wait for `Retry-After`, then repeat.',
    retryAfter: true,
  },
  contact_digest_mismatch: {
    status: 500,
    title: 'Contact digest mismatch',
    meaning:
      'The organization was created with a different `CONTACT_DIGEST_KEY`, so no suppression would be found. Nothing was done. Tell the operator.',
  },
  stored_item_unreadable: {
    status: 500,
    title: 'Stored item unreadable',
    meaning:
      "This version of the service can't read a stored item. `detail` names the item and its fields. Tell the operator.",
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning:
      'Something went wrong. Repeat the request, with the same idempotency key if it has one.',
  },
} as const satisfies Readonly<Record<string, ErrorFacts>>;

export type ErrorCode = keyof typeof errors;

/** The caller proves who they are, then repeats the request. */
export const proofCodes = [
  'key_confirmation_required',
  'recent_sign_in_required',
] as const satisfies readonly ErrorCode[];

/** A code whose answer may say when to try again. */
export type RetriedCode = {
  [Code in ErrorCode]: (typeof errors)[Code] extends { readonly retryAfter: true } ? Code : never;
}[ErrorCode];

const facts: Readonly<Record<ErrorCode, ErrorFacts>> = errors;

export const errorFacts = (code: ErrorCode): ErrorFacts => facts[code];

export const errorCodes = Object.keys(errors).filter((code): code is ErrorCode => code in errors);

export const statusOf = (code: ErrorCode): number => facts[code].status;
