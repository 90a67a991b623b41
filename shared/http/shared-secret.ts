import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '#shared/errors/service-error';

/**
 * Admits a caller that presents the cron secret. It compares in constant time. Nothing matches an empty
 * configuration, not even an empty header.
 *
 * @throws ServiceError `invalid_cron_secret`
 */
export function requireCronSecret(presented: string | undefined, configured: string): void {
  const isEqual = timingSafeEqual(sha256(presented ?? ''), sha256(configured));
  if (isEqual && configured !== '') return;
  throw new ServiceError(
    'invalid_cron_secret',
    'The header X-Cron-Secret is missing or does not hold the cron secret of this deployment.',
  );
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
