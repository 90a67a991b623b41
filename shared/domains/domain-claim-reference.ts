import { exampleIds, exampleTime } from '#shared/endpoints/example-values';

/** What the reference says about claims to domains, at every endpoint. */
export const domainClaimReference = {
  fields: {
    domain: 'The domain.',
    organizationId: 'The organization that wants the domain or is vouched for.',
    isOwner: 'Whether the organization owns the domain.',
    proof:
      'How the owner proved it: by its TXT `record`; because the operator `vouched`; or because its identity was active `earlier`, before records were required.',
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
