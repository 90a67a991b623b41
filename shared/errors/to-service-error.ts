import { ServiceError } from './service-error.ts';
import { UnreadableItemError } from './unreadable-item.ts';

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
