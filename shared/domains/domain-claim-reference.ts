import { exampleIds, exampleTime } from '#shared/endpoints/example-values';

/** What the reference tells of every endpoint about claims to domains. */
export const domainClaimReference = {
  fields: {
    domain: 'The domain.',
    organizationId: 'The organization that wants it, or is vouched for.',
    isOwner: 'Whether the domain is its own.',
    proof:
      'What an owner has shown: its TXT `record`, that the operator `vouched`, or that it was active `earlier` than records were asked for.',
    claimedAt: 'Since when it wants the domain, in epoch milliseconds.',
    vouchedAt: 'Since when the operator vouches for it, in epoch milliseconds.',
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
