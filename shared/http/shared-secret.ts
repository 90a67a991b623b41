import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { secretReader } from '#shared/config/secret';
import { previousAcceptedForMs } from '#shared/config/secret-lifetime';
import { fetchSecretVersion } from '#shared/config/secrets-manager';
import { ServiceError } from '#shared/errors/service-error';
import { openRequestLog } from '#shared/observability/request-log';
import type { CursorOwner } from '#shared/table/cursor';

// Callers that share a secret with the deployment.

const sharedSecrets = {
  cron: { header: 'X-Cron-Secret', code: 'invalid_cron_secret' },
  operator: { header: 'X-Operator-Secret', code: 'invalid_operator_secret' },
} as const;

type OperatorGate = (presented: string | undefined) => Promise<CursorOwner>;

export function operatorGate(secretId: string): OperatorGate {
  const admit = secretGate('operator', secretId);
  // A caller that continues a list after a rotation still presents the secret it used for the first page.
  return async (presented) => ({ id: 'operator', secret: await admit(presented) });
}

type CronGate = (presented: string | undefined) => Promise<void>;

export function cronGate(secretId: string): CronGate {
  const admit = secretGate('cron', secretId);
  return async (presented) => {
    await admit(presented);
  };
}

/**
 * A rotation interrupts no one: a secret other than the cached one is compared with Secrets Manager's current one, and
 * for an hour with the previous one. An empty secret matches nothing, and neither does an empty header.
 */
function secretGate(name: keyof typeof sharedSecrets, secretId: string) {
  const readCached = secretReader(secretId, z.string());
  const readAccepted = acceptedReader(secretId);
  return async (presented = ''): Promise<string> => {
    const isPresented = (secret: string) =>
      timingSafeEqual(sha256(presented), sha256(secret)) && secret !== '';
    if (isPresented(await readCached())) return presented;
    if (presented !== '' && (await readAccepted()).some(isPresented)) return presented;
    const { header, code } = sharedSecrets[name];
    throw new ServiceError(
      code,
      `The header ${header} is missing, or isn’t the ${name} secret of this deployment.`,
    );
  };
}

/** However many guesses come. */
export const acceptedReadEveryMs = 10_000;

/** If Secrets Manager fails, only the cached secret is accepted, until the next try. */
function acceptedReader(secretId: string): () => Promise<readonly string[]> {
  let last = { until: 0, accepted: Promise.resolve<readonly string[]>([]) };
  const read = async () => {
    try {
      return await fetchAccepted(secretId);
    } catch (error) {
      openRequestLog({ secretId }).error('secret not read again', error);
      return [];
    }
  };
  return () => {
    if (Date.now() >= last.until) {
      last = { until: Date.now() + acceptedReadEveryMs, accepted: read() };
    }
    return last.accepted;
  };
}

async function fetchAccepted(SecretId: string): Promise<readonly string[]> {
  const { SecretString, CreatedDate = 0 } = await fetchSecretVersion({ SecretId });
  if (Date.now() >= CreatedDate * 1_000 + previousAcceptedForMs) return [SecretString];
  const before = fetchSecretVersion({ SecretId, VersionStage: 'AWSPREVIOUS' });
  // A new deployment's secret has no previous version.
  const previous = await before.catch(() => undefined);
  return previous === undefined ? [SecretString] : [SecretString, previous.SecretString];
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
