import * as z from 'zod/mini';
import { openRequestLog } from '#shared/observability/request-log';
import { fetchSecret } from './secrets-manager.ts';
import { secretKeptForMs } from './stack-facts.ts';

/** How long a function waits before it asks again for a secret that it could not read anew. */
export const secretRetryAfterMs = 30_000;

/**
 * A reader of a secret of Secrets Manager. It keeps the parsed secret for five minutes, so that a rotation
 * reaches every function without a restart. While the secret cannot be read anew, the last one stays in
 * use: Secrets Manager is not to stop the sends.
 */
export function secretReader<Schema extends z.core.$ZodType>(
  secretId: string,
  schema: Schema,
  fetch: (secretId: string) => Promise<string> = fetchSecret,
): () => Promise<z.output<Schema>> {
  let kept: { until: number; readonly secret: Promise<z.output<Schema>> } | undefined;
  const read = async () => z.parse(schema, await fetch(secretId));
  const readAnew = async (last: Promise<z.output<Schema>>) => {
    try {
      return await read();
    } catch (error) {
      if (kept !== undefined) kept.until = Date.now() + secretRetryAfterMs;
      openRequestLog({ secretId }).error('secret not read anew', error);
      return last;
    }
  };
  return async () => {
    if (kept !== undefined && Date.now() < kept.until) return kept.secret;
    const secret = kept === undefined ? read() : readAnew(kept.secret);
    kept = { until: Date.now() + secretKeptForMs, secret };
    try {
      return await secret;
    } catch (error) {
      kept = undefined;
      throw error;
    }
  };
}
