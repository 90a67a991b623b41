import * as z from 'zod/mini';
import { secretReader } from '#shared/config/secret';
import type { CursorOwner } from '#shared/table/cursor';
import { requireCronSecret, requireOperatorSecret } from './shared-secret.ts';

/**
 * Admits the operator by the header `X-Operator-Secret`, and answers the operator as the owner of lists. Throws
 * `invalid_operator_secret` at anybody else.
 */
export type OperatorGate = (presented: string | undefined) => Promise<CursorOwner>;

/** @param secretId of the operator secret in Secrets Manager. */
export function openOperatorGate(secretId: string): OperatorGate {
  const readSecret = secretReader(secretId, z.string());
  return async (presented) => {
    const secret = await readSecret();
    requireOperatorSecret(presented, secret);
    return { id: 'operator', secret };
  };
}

/** Admits the scheduler by the header `X-Cron-Secret`. Throws `invalid_cron_secret` at anybody else. */
export type CronGate = (presented: string | undefined) => Promise<void>;

/** @param secretId of the cron secret in Secrets Manager. */
export function openCronGate(secretId: string): CronGate {
  const readSecret = secretReader(secretId, z.string());
  return async (presented) => requireCronSecret(presented, await readSecret());
}
