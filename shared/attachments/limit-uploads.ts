import type { DayQuotas } from '#shared/access/limit-organization';
import { retryAfterDayOf } from '#shared/access/rate-limit';
import { ServiceError } from '#shared/errors/service-error';
import type { Organization } from '#shared/organizations/organization';
import { limitsInForce } from '#shared/organizations/organization-limits';

export async function limitUploads(
  { id, limits: own }: Pick<Organization, 'id' | 'limits'>,
  size: number,
  now: number,
  { dayQuotas, limitsOfDeployment }: DayQuotas,
): Promise<void> {
  const most = limitsInForce(own, limitsOfDeployment)('uploadBytesPerDay') ?? Infinity;
  const limit = `Your organization may upload ${most} bytes a day (UTC)`;
  if (size > most) {
    const message = `${limit}, so a file of ${size} never fits. Ask the operator for more.`;
    throw new ServiceError('too_large', message, { errors: [{ path: 'size', message }] });
  }
  if (await dayQuotas.take(id, 'UPLOADS', size, most, now)) return;
  throw new ServiceError(
    'upload_limit_reached',
    `${limit}, and ${size} more don't fit today. Wait for Retry-After, or ask the operator for more.`,
    { retryAfterSeconds: retryAfterDayOf(now) },
  );
}
