import * as z from 'zod/mini';
import { openRequestLog } from '#shared/observability/request-log';
import { secretKeptForMs } from './secret-lifetime.ts';
import { fetchSecret } from './secrets-manager.ts';

/** Pause before retrying a failed secret refresh. */
export const secretRetryAfterMs = 30_000;

/**
 * Cached for five minutes, so a rotation reaches every function without a restart. If a refresh fails, the last value
 * stays in use: a Secrets Manager outage must not stop sending.
 */
export function secretReader<Schema extends z.core.$ZodType>(
  secretId: string,
  schema: Schema,
  fetch: (secretId: string) => Promise<string> = fetchSecret,
): () => Promise<z.output<Schema>> {
  let kept: { until: number; readonly secret: Promise<z.output<Schema>> } | undefined;
  const read = async () => z.parse(schema, await fetch(secretId));
  const readAgain = async (last: Promise<z.output<Schema>>) => {
    try {
      return await read();
    } catch (error) {
      if (kept !== undefined) kept.until = Date.now() + secretRetryAfterMs;
      openRequestLog({ secretId }).error('secret not read again', error);
      return last;
    }
  };
  return async () => {
    if (kept !== undefined && Date.now() < kept.until) return kept.secret;
    const secret = kept === undefined ? read() : readAgain(kept.secret);
    kept = { until: Date.now() + secretKeptForMs, secret };
    try {
      return await secret;
    } catch (error) {
      kept = undefined;
      throw error;
    }
  };
}
