import * as z from 'zod/mini';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import { type DomainClaim, hasVouch } from './domain-claim.ts';
import { type DomainOwner, domainProofs } from './domain-ownership.ts';

export const domainClaimViewSchema = z.object({
  domain: z.string(),
  organizationId: organizationIdSchema,
  isOwner: z.boolean(),
  proof: z.optional(z.enum(domainProofs)),
  claimedAt: z.optional(z.int()),
  vouchedAt: z.optional(z.int()),
});
export type DomainClaimView = z.infer<typeof domainClaimViewSchema>;

export function viewClaim(
  domain: string,
  claim: DomainClaim,
  owner: DomainOwner | undefined,
): DomainClaimView {
  const { organizationId, claimedAt, vouchedAt } = claim;
  const proof = owner?.organizationId === organizationId ? owner.proof : undefined;
  return {
    domain,
    organizationId,
    isOwner: proof !== undefined,
    ...(proof !== undefined && { proof }),
    ...(claimedAt !== undefined && { claimedAt }),
    ...(vouchedAt !== undefined && hasVouch(claim) && { vouchedAt }),
  };
}

export const domainClaimReference = {
  fields: {
    domain: 'The domain.',
    organizationId: 'The organization that wants the domain or is vouched for.',
    isOwner: 'Whether the organization owns the domain.',
    proof: 'How the owner proved it: by its TXT `record`, or because the operator `vouched`.',
    claimedAt: 'When it claimed the domain, in epoch milliseconds.',
    vouchedAt: 'When the operator vouched for it, in epoch milliseconds.',
  },
} as const;

export const exampleDomainClaim = {
  domain: 'news.example.com',
  organizationId: exampleIds.organization,
  isOwner: true,
  proof: 'vouched',
  claimedAt: exampleTime,
  vouchedAt: exampleTime,
} as const;
