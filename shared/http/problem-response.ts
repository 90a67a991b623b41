import { errorFacts } from '#shared/errors/errors';
import { ServiceError } from '#shared/errors/service-error';
import { UnreadableItemError } from '#shared/errors/unreadable-item';
import type { HttpResponse } from './http-response.ts';

/** Renders an error as RFC 9457 problem details, with `Retry-After` where a retry may help. */
export function problemResponse(error: ServiceError, requestId: string): HttpResponse {
  const { status, title } = errorFacts(error.code);
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
