import type { ServiceError } from '#shared/errors/service-error';

/** A request's body before its schema, or why it can't be read, which is reported only once the caller is known. */
export type ReceivedBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ServiceError };

/** @throws ServiceError why it can't be read */
export function requireBody(received: ReceivedBody): unknown {
  if (!received.ok) throw received.error;
  return received.value;
}
