import type * as z from 'zod/mini';
import type { attachmentEnvironment } from '#shared/config/environment';
import {
  invalidBase64,
  megabyte,
  type Rejection,
  tooLarge,
  tooMany,
} from './attachment-rejection.ts';

/** Of all attachments of an email, decoded. Defaults, and what a deployment may set: `config/environment.ts`. */
export type AttachmentLimits = { readonly maxCount: number; readonly maxTotalBytes: number };

type Environment = z.output<typeof attachmentEnvironment>;

export const attachmentLimitsOf = (
  environment: Pick<Environment, 'ATTACHMENTS_MAX_COUNT' | 'ATTACHMENTS_MAX_TOTAL_MB'>,
): AttachmentLimits => ({
  maxCount: environment.ATTACHMENTS_MAX_COUNT,
  maxTotalBytes: Math.floor(environment.ATTACHMENTS_MAX_TOTAL_MB * megabyte),
});

/** @param sizes of each one, `undefined` if it can't be decoded. Files behind URLs are checked while they load. */
export function findRejection(
  sizes: readonly (number | undefined)[],
  totalBytes: number,
  { maxCount, maxTotalBytes }: AttachmentLimits,
): Rejection | undefined {
  if (sizes.length > maxCount) return tooMany(maxCount);
  const undecodable = [...sizes.keys()].filter((index) => sizes[index] === undefined);
  if (undecodable.length > 0) return invalidBase64(undecodable);
  return totalBytes > maxTotalBytes
    ? tooLarge(totalBytes, maxTotalBytes, 'attachments')
    : undefined;
}
