import { errorFacts } from '#shared/errors/errors';
import type { ServiceError } from '#shared/errors/service-error';
import type { HttpResponse } from './http-response.ts';

/** RFC 9457 problem details, with `Retry-After` where a retry may help. */
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
