import * as z from 'zod/mini';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import { type DomainClaim, type DomainOwner, domainProofs } from './domain-ownership.ts';

/** A claim as the operator sees it. */
export const domainClaimViewSchema = z.object({
  domain: z.string(),
  organizationId: organizationIdSchema,
  isOwner: z.boolean(),
  /** What an owner has shown. */
  proof: z.optional(z.enum(domainProofs)),
  claimedAt: z.optional(z.int()),
  vouchedAt: z.optional(z.int()),
});
export type DomainClaimView = z.infer<typeof domainClaimViewSchema>;

export function viewClaim(
  domain: string,
  { organizationId, claimedAt, vouchedAt }: DomainClaim,
  owner: DomainOwner | undefined,
): DomainClaimView {
  const proof = owner?.organizationId === organizationId ? owner.proof : undefined;
  return {
    domain,
    organizationId,
    isOwner: proof !== undefined,
    ...(proof !== undefined && { proof }),
    ...(claimedAt !== undefined && { claimedAt }),
    ...(vouchedAt !== undefined && { vouchedAt }),
  };
}
