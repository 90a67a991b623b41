import { type ErrorCode, statusOf } from '#shared/errors/errors';
import { faultsInOneText } from '#shared/errors/foreign-names';
import type { FieldError, ServiceError } from '#shared/errors/service-error';
import { presentedCredential } from '#shared/http/credential';
import type { HttpRequest, RenderError } from '#shared/http/http-endpoint';
import { type HttpResponse, jsonResponse } from '#shared/http/http-response';
import { faultsInResendNames, faultsOfEmail } from './field-names.ts';

/** Each with its status at Resend (Resend's reference, "Errors"). */
export const resendErrorStatuses = {
  invalid_idempotency_key: 400,
  missing_api_key: 401,
  restricted_api_key: 401,
  invalid_api_key: 403,
  invalid_from_address: 403,
  not_found: 404,
  method_not_allowed: 405,
  concurrent_idempotent_requests: 409,
  invalid_idempotent_request: 409,
  invalid_attachment: 422,
  missing_required_field: 422,
  validation_error: 422,
  daily_quota_exceeded: 429,
  rate_limit_exceeded: 429,
  application_error: 500,
  internal_server_error: 500,
} as const;
type ResendErrorName = keyof typeof resendErrorStatuses;

/** For errors that tell Resend's clients more than their status. */
const names: Partial<Record<ErrorCode, ResendErrorName>> = {
  missing_scope: 'restricted_api_key',
  test_key: 'restricted_api_key',
  from_not_allowed: 'invalid_from_address',
  idempotency_in_progress: 'concurrent_idempotent_requests',
  idempotency_key_reused: 'invalid_idempotent_request',
  too_many: 'invalid_attachment',
  invalid_base64: 'invalid_attachment',
  attachment_not_fetched: 'invalid_attachment',
  plan_required: 'invalid_attachment',
  daily_recipients_exhausted: 'daily_quota_exceeded',
  change_limit_reached: 'daily_quota_exceeded',
  waiting_limit_reached: 'daily_quota_exceeded',
  delivery_limit_reached: 'daily_quota_exceeded',
  internal_error: 'internal_server_error',
};

/** Resend has several statuses for these names. */
const keepsStatus = new Set([402, 403, 409]);

/** `{statusCode, name, message}`. */
export const renderResendError: RenderError = (error, request) =>
  render(error, request, faultsInResendNames(error));

/** For an email to be sent, whose fields have other names. */
export const renderEmailError: RenderError = (error, request) =>
  render(error, request, faultsOfEmail(error));

/** For the list of refused requests, which are those of keys. */
export const resendAnswerOf = (error: ServiceError) => ({
  status: resendErrorOf(error, true).status,
  faults: faultsInResendNames(error),
});

export const emailAnswerOf = (error: ServiceError) => ({
  status: resendErrorOf(error, true).status,
  faults: faultsOfEmail(error),
});

function render(
  error: ServiceError,
  { headers }: HttpRequest,
  faults: readonly FieldError[],
): HttpResponse {
  const { name, status } = resendErrorOf(error, presentedCredential(headers) !== undefined);
  const { retryAfterSeconds } = error;
  return {
    ...jsonResponse(
      { statusCode: status, name, message: faultsInOneText(error, faults) },
      retryAfterSeconds === undefined ? {} : { 'Retry-After': `${retryAfterSeconds}` },
    ),
    statusCode: status,
  };
}

/** The statuses that Resend's clients may get for one of our errors. */
export function resendStatusesOf(code: ErrorCode): readonly number[] {
  const statusesOf = (errors: readonly FieldError[]) =>
    [true, false].map((hasKey) => resendErrorOf({ code, errors }, hasKey).status);
  const faults = ['Idempotency-Key', 'to'].map((path) => [{ path, message: 'is required' }]);
  return [...new Set([[], ...(code === 'validation_failed' ? faults : [])].flatMap(statusesOf))];
}

type Named = Pick<ServiceError, 'code' | 'errors'>;

function resendErrorOf(error: Named, hasKey: boolean) {
  const name = nameOf(error, hasKey);
  const own = statusOf(error.code);
  const status =
    name === 'validation_error' && keepsStatus.has(own) ? own : resendErrorStatuses[name];
  return { name, status };
}

function nameOf({ code, errors = [] }: Named, hasKey: boolean): ResendErrorName {
  if (code === 'invalid_api_key') return hasKey ? 'invalid_api_key' : 'missing_api_key';
  if (code === 'validation_failed') {
    if (errors.some(({ path }) => path === 'Idempotency-Key')) return 'invalid_idempotency_key';
    return errors[0]?.message === 'is required' ? 'missing_required_field' : 'validation_error';
  }
  if (code === 'too_large' && isOfAttachments(errors)) return 'invalid_attachment';
  return names[code] ?? nameByStatus[statusOf(code)] ?? 'validation_error';
}

/** The email itself may be too large to wait. */
const isOfAttachments = (errors: readonly FieldError[]): boolean =>
  errors.some(({ path }) => path.split('.').includes('attachments'));

const nameByStatus: Readonly<Record<number, ResendErrorName>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  429: 'rate_limit_exceeded',
  500: 'application_error',
};

export const resendMessageOf = (error: ServiceError): string =>
  faultsInOneText(error, faultsOfEmail(error));
