import type { ServiceError } from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import type { ApiKeyId } from '#shared/tokens/resource-id';
import type { RateLimit } from './rate-window.ts';

export type ShownRateLimit = Omit<RateLimit, 'isExceeded'>;

/**
 * What a request learns on its way. The server reads it when the answer is made, also after a throw, so no operation
 * has to call back.
 */
export type RequestContext = {
  readonly log: RequestLog;
  /**
   * The key whose secret the caller has shown, even if it's revoked. Admission sets it; refusals are noted for its
   * organization (`note-refusals.ts`).
   */
  apiKeyId?: ApiKeyId;
  /** Its organization keeps the shapes of refused bodies. Set with the key. */
  keepsRefusedShapes?: boolean | undefined;
  /** Parses the body once more, so that no request holds it twice. Absent without a JSON body. */
  readBodyAgain?: () => unknown;
  /** Of a key with a cap, once `limitKey` has counted the request. Answers and refusals show it in headers. */
  rateLimit?: ShownRateLimit;
  /** What was refused of a request that succeeded as a whole, as a batch may: noted like refusals. */
  refusedParts?: readonly ServiceError[];
  /** Started beside the request's own work, and never throws. `httpEndpoint` awaits it before every answer. */
  readonly pendingWork: Promise<void>[];
};

export const newRequestContext = (log: RequestLog): RequestContext => ({ log, pendingWork: [] });
