import { type ErrorCode, errorFacts, type RetriedCode } from './errors.ts';

/** One fault in a request: `path` is the JSON path of the field, for example `cc.3`. */
export type FieldError = { readonly path: string; readonly message: string };

type ServiceErrorOptions = {
  readonly errors?: readonly FieldError[];
  readonly cause?: unknown;
};

type RetriedErrorOptions = ServiceErrorOptions & {
  /** When a retry may succeed, in whole seconds, at least 1. */
  readonly retryAfterSeconds?: number;
};

/**
 * Ends the request. `detail` reaches the caller, so it says what to do next and holds no secret, no address and no raw
 * cause; without one, the caller gets the meaning of the code. `cause` reaches only the log, by its class name.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

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
  }
}

/** A request whose fields are at fault. `detail` says the first: SDKs and logs often show nothing else. */
export function validationFailed(errors: readonly FieldError[]): ServiceError {
  const [first, ...others] = errors;
  const fault = first ? `${first.path}: ${first.message}` : 'The request is not valid.';
  const detail = others.length === 0 ? fault : `${fault} (and ${others.length} more: see errors)`;
  return new ServiceError('validation_failed', detail, { errors });
}

/** One fault in the request, as `validation_failed`. */
export const invalidField = (path: string, message: string): ServiceError =>
  validationFailed([{ path, message }]);

/** Whole seconds from `now` until `moment` (both epoch milliseconds), never below 1. */
export function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / 1000));
}
