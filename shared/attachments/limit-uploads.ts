import { retryAfterDayOf } from '#shared/access/rate-limit';
import { ServiceError } from '#shared/errors/service-error';
import type { Organization } from '#shared/organizations/organization';
import { type GivenLimits, limitsInForce } from '#shared/organizations/organization-limits';
import type { UploadBytesStore } from './upload-bytes-store.ts';

/**
 * Holds an organization to the bytes that it may upload in a day. What is refused counts nothing, so a smaller file
 * may still fit.
 *
 * @throws ServiceError `too_large`, `upload_limit_reached`
 */
export async function limitUploads(
  { id, limits: own }: Pick<Organization, 'id' | 'limits'>,
  size: number,
  now: number,
  uploading: { readonly uploadBytes: UploadBytesStore; readonly limitsOfDeployment: GivenLimits },
): Promise<void> {
  const most = limitsInForce(own, uploading.limitsOfDeployment)('uploadBytesPerDay') ?? Infinity;
  const limit = `The organization may upload ${most} bytes a day (UTC)`;
  if (size > most) {
    // Waiting never helps it.
    const message = `${limit}, and this file has ${size}. Ask the operator of the service for more.`;
    throw new ServiceError('too_large', message, { errors: [{ path: 'size', message }] });
  }
  if (await uploading.uploadBytes.count(id, now, size, most)) return;
  throw new ServiceError(
    'upload_limit_reached',
    `${limit}, and ${size} more do not fit. Ask the operator of the service for more, or wait for Retry-After.`,
    { retryAfterSeconds: retryAfterDayOf(now) },
  );
}
