import { type ErrorCode, statusOf } from '#shared/errors/errors';
import { ForeignNamedError, faultsInOneText } from '#shared/errors/foreign-names';
import { type ServiceError, validationFailed } from '#shared/errors/service-error';
import type { RenderError } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { faultsInPostmarkNames } from './field-names.ts';

export type PostmarkError = { readonly ErrorCode: number; readonly Message: string };

type Answered = { readonly status: number; readonly code: number };

/** For errors that tell Postmark's clients more than their status (Postmark's reference, "API error codes"). */
const answers: Partial<Record<ErrorCode, Answered>> = {
  invalid_api_key: { status: 401, code: 10 },
  missing_scope: { status: 401, code: 10 },
  test_key: { status: 401, code: 10 },
  malformed_json: { status: 422, code: 402 },
  unsupported_content_type: { status: 415, code: 409 },
  no_active_identity: { status: 422, code: 400 },
  from_not_allowed: { status: 422, code: 400 },
  plan_required: { status: 422, code: 405 },
  tenant_paused: { status: 422, code: 413 },
  unknown_policy: { status: 422, code: 1235 },
  template_not_found: { status: 422, code: 1101 },
  send_not_found: { status: 422, code: 701 },
  too_large: { status: 413, code: 300 },
  rendered_too_large: { status: 413, code: 300 },
  idempotency_in_progress: { status: 409, code: 300 },
  provider_rejected: { status: 422, code: 300 },
  provider_unreachable: { status: 503, code: 100 },
};

/**
 * Every recipient in `To` is suppressed. No `ServiceError`: the send is stored as suppressed, and its answer names the
 * addresses.
 */
export const inactiveRecipient = 406;

/** Postmark has no numbers for these. */
const sameAsStatus = new Set([404, 405, 429, 500]);

const invalidRequest: Answered = { status: 422, code: 300 };
const unknownTemplate: Answered = { status: 422, code: 1101 };
const tooManyMessages: Answered = { status: 422, code: 410 };

const templatePath = /^template(?:id|alias)?$/i;

class TooManyMessages extends ForeignNamedError {}

export function tooMany(most: number): ServiceError {
  const errors = [{ path: '', message: `A batch has at most ${most} emails: send several.` }];
  const { code, message } = validationFailed(errors);
  return new TooManyMessages(code, message, { errors });
}

function answeredFor(error: Pick<ServiceError, 'code' | 'errors'>): Answered {
  if (error instanceof TooManyMessages) return tooManyMessages;
  if (error.code === 'validation_failed') {
    const isOfTemplate = templatePath.test(error.errors?.[0]?.path ?? '');
    return isOfTemplate ? unknownTemplate : invalidRequest;
  }
  const own = statusOf(error.code);
  const generic = sameAsStatus.has(own) ? { status: own, code: own } : invalidRequest;
  return answers[error.code] ?? generic;
}

export const postmarkErrorOf = (error: ServiceError): PostmarkError => ({
  ErrorCode: answeredFor(error).code,
  Message: faultsInOneText(error, faultsInPostmarkNames(error)),
});

/** For the list of refused requests. */
export const postmarkAnswerOf = (error: ServiceError) => ({
  status: answeredFor(error).status,
  faults: faultsInPostmarkNames(error),
});

export const renderPostmarkError: RenderError = (error) => {
  const { retryAfterSeconds } = error;
  return {
    ...jsonResponse(
      postmarkErrorOf(error),
      retryAfterSeconds === undefined ? {} : { 'Retry-After': `${retryAfterSeconds}` },
    ),
    statusCode: answeredFor(error).status,
  };
};

export const postmarkStatusesOf = (code: ErrorCode): readonly number[] => [
  answeredFor({ code, errors: [] }).status,
];
