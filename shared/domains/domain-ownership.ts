import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import type { DnsAnswer } from './dns-records.ts';
import { type DomainClaim, hasVouch } from './domain-claim.ts';

export const domainProofs = ['record', 'vouched'] as const;
export type DomainProof = (typeof domainProofs)[number];

/**
 * Any number of organizations may want a domain, and SES gives all of them the same DKIM records, which don't say for
 * which one SES should sign. Each organization's TXT record says that, or the operator vouches for it.
 *
 * - The first to prove it owns the domain.
 * - A proven owner keeps the domain, even without its record, until another proves it too.
 * - From then on it keeps the domain only while its own record is in DNS, or the operator vouches for it. To move a
 *   domain, publish the new record and remove the old one, in any order.
 * - If DNS doesn't answer, nothing changes.
 */
export const domainOwnerSchema = z.object({
  organizationId: organizationIdSchema,
  claimedAt: z.int(),
  proof: z.enum(domainProofs),
  /** Set until the domain has left that organization's tenant in SES. */
  takenFrom: z.optional(organizationIdSchema),
});
export type DomainOwner = Readonly<z.infer<typeof domainOwnerSchema>>;

/** Only the process that holds it creates the domain in SES, changes its tag (but to adopt it) or removes it. */
export const domainLeaseSchema = z.object({
  organizationId: organizationIdSchema,
  id: z.string(),
  until: z.int(),
});
export type DomainLease = Readonly<z.infer<typeof domainLeaseSchema>>;

/**
 * SES had the domain, verified and used by others, before an organization took it over. It keeps its keys, MAIL FROM
 * domain and configuration set, is never deleted, and is given back when the last organization leaves it.
 */
export const domainAdoptionSchema = z.object({
  organizationId: organizationIdSchema,
  forwardsBounces: z.boolean(),
});
export type DomainAdoption = Readonly<z.infer<typeof domainAdoptionSchema>>;

/** All that is stored about a domain, read at one moment. */
export type DomainOwnership = {
  readonly owner: DomainOwner | undefined;
  readonly claims: readonly DomainClaim[];
  readonly lease: DomainLease | undefined;
  readonly adoption?: DomainAdoption | undefined;
};

/** Longer than any function that removes domains may run. */
export const leaseMs = 180_000;
/** The longest call to SES, retries included. */
const longestCallMs = 30_000;

export const isHeld = (lease: DomainLease | undefined, now: number): lease is DomainLease =>
  lease !== undefined && lease.until > now;

/**
 * A frozen process may thaw after its lease expired, when the domain may belong to someone else.
 *
 * @throws Error when it's too late to start a call to SES.
 */
export function requireLease(lease: DomainLease, now: number): void {
  if (now > lease.until - longestCallMs) throw new Error('The lease of the domain is over');
}

/**
 * Not secret: only someone who can write the domain's DNS can publish it, and it's for this organization and domain
 * alone. It doesn't reveal the organization's id, which has 80 random bits.
 */
export const ownershipRecordValue = (domain: string, organizationId: OrganizationId): string =>
  `email-service=${hash('sha256', `domain ownership ${organizationId} ${domain}`, 'hex').slice(0, 40)}`;

export const isVouchedFor = (
  { claims }: Pick<DomainOwnership, 'claims'>,
  organizationId: OrganizationId,
): boolean => claims.some((claim) => claim.organizationId === organizationId && hasVouch(claim));

export const isClaimedBy = (
  { claims }: Pick<DomainOwnership, 'claims'>,
  organizationId: OrganizationId,
): boolean =>
  claims.some((claim) => claim.organizationId === organizationId && claim.claimedAt !== undefined);

/** The other organizations for which SES must keep the domain. */
export const othersOf = (
  { owner, claims }: DomainOwnership,
  organizationId: OrganizationId,
): readonly OrganizationId[] => {
  const wanting = claims.filter(({ claimedAt }) => claimedAt !== undefined);
  const all = [...(owner === undefined ? [] : [owner]), ...wanting].map(
    (one) => one.organizationId,
  );
  return [...new Set(all)].filter((one) => one !== organizationId);
};

/** @param texts the texts under `ownershipRecordName`. */
export function proofOf(
  domain: string,
  organizationId: OrganizationId,
  ownership: DomainOwnership,
  texts: DnsAnswer,
): 'record' | 'vouched' | 'unanswered' | 'none' {
  if (isVouchedFor(ownership, organizationId)) return 'vouched';
  if (texts === 'unanswered') return 'unanswered';
  const value = ownershipRecordValue(domain, organizationId);
  return texts.some((text) => text.trim() === value) ? 'record' : 'none';
}
