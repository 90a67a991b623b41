import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorCodes, statusOf } from '#shared/errors/errors';
import { ServiceError } from '#shared/errors/service-error';
import { problemResponse } from '#shared/http/problem-response';
import { problemIn } from '../../support/problem.ts';

describe('statusOf', () => {
  it('gives each error the status that callers rely on', () => {
    const statuses = Object.fromEntries(errorCodes.map((code) => [code, statusOf(code)]));

    expect(statuses).toEqual({
      malformed_json: 400,
      malformed_body: 400,
      unsupported_content_type: 400,
      validation_failed: 400,
      unknown_policy: 400,
      bulk_needs_one_recipient: 400,
      recipients_exceed_cap: 400,
      ambiguous_contact: 400,
      unknown_category: 400,
      too_many: 400,
      invalid_base64: 400,
      unknown_upload: 400,
      attachment_not_fetched: 422,
      invalid_api_key: 401,
      invalid_cron_secret: 401,
      invalid_operator_secret: 401,
      plan_required: 402,
      missing_scope: 403,
      test_key: 403,
      key_confirmation_required: 403,
      other_api_key: 403,
      tenant_paused: 403,
      no_active_identity: 403,
      from_not_allowed: 403,
      link_held: 403,
      content_not_kept: 404,
      attachments_not_kept: 409,
      identity_not_found: 404,
      domain_claim_not_found: 404,
      endpoint_not_found: 404,
      organization_not_found: 404,
      send_not_found: 404,
      contact_not_found: 404,
      suppression_not_found: 404,
      template_not_found: 404,
      link_domain_taken: 409,
      link_not_found: 404,
      link_withdrawn: 404,
      api_key_not_found: 404,
      webhook_not_found: 404,
      delivery_not_found: 404,
      policy_not_found: 404,
      category_not_found: 404,
      idempotency_key_not_found: 404,
      method_not_allowed: 405,
      domain_not_found: 404,
      domain_exists: 409,
      domain_not_active: 409,
      domain_taken: 409,
      template_alias_taken: 409,
      layout_in_use: 409,
      template_name_taken: 409,
      too_many_api_keys: 409,
      too_many_templates: 409,
      too_many_policies: 409,
      policy_in_use: 409,
      too_many_domains: 409,
      too_many_categories: 409,
      category_key_taken: 409,
      category_in_use: 409,
      too_many_webhooks: 409,
      webhook_disabled: 409,
      nothing_to_confirm: 409,
      api_key_revoked: 409,
      api_key_rotated: 409,
      last_manager_key: 409,
      concurrent_change: 409,
      idempotency_in_progress: 409,
      send_in_doubt: 409,
      send_not_waiting: 409,
      send_waiting: 409,
      erasure_unfinished: 409,
      import_in_progress: 409,
      sender_gone: 410,
      version_mismatch: 412,
      too_large: 413,
      rendered_too_large: 413,
      identity_rejected: 422,
      idempotency_key_reused: 422,
      rate_limited: 429,
      organization_rate_limited: 429,
      daily_recipients_exhausted: 429,
      upload_limit_reached: 429,
      waiting_limit_reached: 429,
      change_limit_reached: 429,
      contact_limit_reached: 429,
      provider_throttled: 429,
      provider_unreachable: 500,
      provider_rejected: 500,
      provider_outcome_unknown: 500,
      contact_digest_mismatch: 500,
      stored_item_unreadable: 500,
      internal_error: 500,
    } satisfies Record<ErrorCode, number>);
  });
});

describe('problemResponse', () => {
  it.each(errorCodes)('renders %s as problem details', (code) => {
    const response = problemResponse(new ServiceError(code, 'What to do next.'), 'request-1');

    expect(response.statusCode).toBe(statusOf(code));
    expect(response.headers['Content-Type']).toBe('application/problem+json');
    expect(problemIn(response)).toMatchObject({
      type: `urn:problem:${code}`,
      title: expect.stringMatching(/\S/),
      status: statusOf(code),
      detail: 'What to do next.',
      instance: 'urn:request:request-1',
      code,
      requestId: 'request-1',
    });
  });

  it('lists the faults of a request', () => {
    const errors = [{ path: 'cc.3', message: 'must be an email address' }];
    const error = new ServiceError('validation_failed', 'Not valid.', { errors });

    expect(problemIn(problemResponse(error, 'request-1')).errors).toEqual(errors);
  });

  it('has no list of faults when there is none', () => {
    const response = problemResponse(new ServiceError('internal_error', 'Oh.'), 'request-1');

    expect(problemIn(response)).not.toHaveProperty('errors');
  });

  it('carries Retry-After when a retry may help, and only then', () => {
    const options = { retryAfterSeconds: 7 };

    const limited = problemResponse(new ServiceError('rate_limited', 'Wait.', options), 'r');
    const refused = problemResponse(new ServiceError('missing_scope', 'No.'), 'r');

    expect(limited.headers['Retry-After']).toBe('7');
    expect(refused.headers).not.toHaveProperty('Retry-After');
  });

  it('asks for a Bearer key with 401, and only then', () => {
    const unauthorised = problemResponse(new ServiceError('invalid_api_key', 'No.'), 'r');
    const forbidden = problemResponse(new ServiceError('missing_scope', 'No.'), 'r');

    expect(unauthorised.headers['WWW-Authenticate']).toBe('Bearer');
    expect(forbidden.headers).not.toHaveProperty('WWW-Authenticate');
  });

  it('says nothing of the cause', () => {
    const cause = new Error('ann@example.com is in ORG#org_1');
    const error = new ServiceError('provider_rejected', 'Refused.', { cause });

    const { body } = problemResponse(error, 'request-1');

    expect(body).not.toContain('ann@example.com');
    expect(body).not.toContain('ORG#');
    expect(body).not.toContain('at ');
  });
});
