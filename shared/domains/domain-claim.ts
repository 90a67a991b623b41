import * as z from 'zod/mini';
import { isExpired, toSeconds } from '#shared/table/expiry';
import { dayMs } from '#shared/timing/day';
import { organizationIdSchema } from '#shared/tokens/resource-id';

/** That an organization wants a domain, that the operator vouches for it, or both. */
export const domainClaimSchema = z.object({
  organizationId: organizationIdSchema,
  claimedAt: z.optional(z.int()),
  vouchedAt: z.optional(z.int()),
});
export type DomainClaim = Readonly<z.infer<typeof domainClaimSchema>>;

/** How long a vouch lasts that its organization doesn't use. */
const unusedVouchMs = 30 * dayMs;

export const vouchExpiryOf = (vouchedAt: number): number => toSeconds(vouchedAt + unusedVouchMs);

/**
 * A vouch that expired before its organization claimed the domain is still stored with the claim, unless DynamoDB was
 * faster.
 */
export const hasVouch = ({ claimedAt, vouchedAt }: DomainClaim): boolean =>
  vouchedAt !== undefined &&
  (claimedAt === undefined || !isExpired({ expiresAt: vouchExpiryOf(vouchedAt) }, claimedAt));
