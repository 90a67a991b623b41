import * as z from 'zod/mini';
import { limitsEnvironment } from './limits-environment.ts';

/** A deployment may allow so many attachments an email. `shared/attachments/attachment.ts` reads one more. */
export const highestMaxCount = 99;

/** Environment of the functions that take attachments. */
export const attachmentEnvironment = z.object({
  ATTACHMENTS_MAX_COUNT: z._default(
    z.coerce.number().check(z.int(), z.gte(0), z.lte(highestMaxCount)),
    5,
  ),
  /** Of all attachments of an email, decoded; a megabyte is 1024 × 1024 bytes. */
  ATTACHMENTS_MAX_TOTAL_MB: z._default(z.coerce.number().check(z.positive(), z.lte(25)), 10),
  /** The external service that knows who may attach; without it, the organization's own setting counts. */
  ENTITLEMENTS_URL: z.optional(z.url()),
  /** The secret with its bearer token. */
  ENTITLEMENTS_SECRET_ID: z.optional(z.string().check(z.minLength(1))),
  /** Where attachments are uploaded that are too large for a request. */
  ATTACHMENTS_BUCKET_URL: z.url(),
  AWS_REGION: z.string().check(z.minLength(1)),
});

/** Environment of the function that issues upload tickets. */
export const uploadEnvironment = z.extend(limitsEnvironment, attachmentEnvironment.shape);
