import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { secretReader } from '#shared/config/secret';
import { ServiceError } from '#shared/errors/service-error';
import type { CursorOwner } from '#shared/table/cursor';

// Callers that share a secret with the deployment.

const sharedSecrets = {
  cron: { header: 'X-Cron-Secret', code: 'invalid_cron_secret' },
  operator: { header: 'X-Operator-Secret', code: 'invalid_operator_secret' },
} as const;

export type OperatorGate = (presented: string | undefined) => Promise<CursorOwner>;

export function openOperatorGate(secretId: string): OperatorGate {
  const readSecret = secretReader(secretId, z.string());
  return async (presented) => {
    const secret = await readSecret();
    requireSecret('operator', presented, secret);
    return { id: 'operator', secret };
  };
}

/** By `X-Cron-Secret`. Throws `invalid_cron_secret`. */
export type CronGate = (presented: string | undefined) => Promise<void>;

export function openCronGate(secretId: string): CronGate {
  const readSecret = secretReader(secretId, z.string());
  return async (presented) => requireSecret('cron', presented, await readSecret());
}

/** Compares in constant time. Nothing matches an empty configuration, not even an empty header. */
export function requireSecret(
  name: keyof typeof sharedSecrets,
  presented: string | undefined,
  configured: string,
): void {
  const isEqual = timingSafeEqual(sha256(presented ?? ''), sha256(configured));
  if (isEqual && configured !== '') return;
  const { header, code } = sharedSecrets[name];
  throw new ServiceError(
    code,
    `The header ${header} is missing, or isn’t the ${name} secret of this deployment.`,
  );
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
