import * as z from 'zod/mini';
import { fetchSecret } from './secrets-manager.ts';

/** How long a function uses a secret that was replaced meanwhile, at most. */
export const secretKeptForMs = 300_000;

/**
 * A reader of a secret of Secrets Manager.
 *
 * @returns a reader that keeps the parsed secret for five minutes, so that a rotation reaches every
 *   function without a restart.
 */
export function secretReader<Schema extends z.core.$ZodType>(
  secretId: string,
  schema: Schema,
  fetch: (secretId: string) => Promise<string> = fetchSecret,
): () => Promise<z.output<Schema>> {
  let kept: { readonly until: number; readonly secret: Promise<z.output<Schema>> } | undefined;
  return async () => {
    if (kept !== undefined && Date.now() < kept.until) return kept.secret;
    const secret = fetch(secretId).then((text) => z.parse(schema, text));
    kept = { until: Date.now() + secretKeptForMs, secret };
    try {
      return await secret;
    } catch (error) {
      kept = undefined;
      throw error;
    }
  };
}
