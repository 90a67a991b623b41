import { type ErrorCode, errorFacts, type RetriedCode } from './errors.ts';
import { UnreadableItemError } from './unreadable-item.ts';

/** `path` is the JSON path of the field, for example `cc.3`. */
export type FieldError = { readonly path: string; readonly message: string };

type ServiceErrorOptions = {
  readonly errors?: readonly FieldError[];
  readonly cause?: unknown;
  readonly isSendersFault?: boolean;
};

type RetriedErrorOptions = ServiceErrorOptions & {
  readonly retryAfterSeconds?: number;
};

/**
 * `detail` reaches the caller: it says what to do next and contains no secret, no address and no raw cause. By default
 * it's the meaning of the code. `cause` reaches only the log, by its class name.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Whatever its status, nothing of ours has failed: no alarm counts it. */
  readonly isSendersFault: boolean;

  constructor(code: RetriedCode, detail?: string, options?: RetriedErrorOptions);
  constructor(code: ErrorCode, detail?: string, options?: ServiceErrorOptions);
  constructor(
    code: ErrorCode,
    detail: string = errorFacts(code).meaning,
    options: RetriedErrorOptions = {},
  ) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.isSendersFault = options.isSendersFault ?? false;
  }
}

/** `detail` gives the first fault, because SDKs and logs often show nothing else. */
export function validationFailed(errors: readonly FieldError[]): ServiceError {
  const [first, ...others] = errors;
  const fault = first ? `${first.path}: ${first.message}` : 'The request is not valid.';
  const detail = others.length === 0 ? fault : `${fault} (and ${others.length} more: see errors)`;
  return new ServiceError('validation_failed', detail, { errors });
}

export const invalidField = (path: string, message: string): ServiceError =>
  validationFailed([{ path, message }]);

/** From `now` until `moment` (both epoch milliseconds), at least 1. */
export function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / 1000));
}

/** Errors that aren't ours become `internal_error`, which says nothing about them. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof UnreadableItemError) {
    return new ServiceError(
      'stored_item_unreadable',
      `What is stored as ${error.item} can't be read, at ${error.fields.join(', ')}. Retrying won't help. The operator of this deployment can find it in the log by this requestId.`,
      { cause: error },
    );
  }
  return new ServiceError(
    'internal_error',
    'Something went wrong on our side. Retry with the same Idempotency-Key. If it keeps happening, give us the requestId.',
    { cause: error },
  );
}
