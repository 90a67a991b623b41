/** Names a domain's organization in SES. Roles are restricted by this tag. */
export const ownerTag = 'transactional-email-organization';

/** The events that put an address on SES's own suppression list, after which SES drops the next email to it. */
export const sesSuppressionChoices = ['nobody', 'bounces', 'bounces_and_complaints'] as const;
export type SesSuppressionChoice = (typeof sesSuppressionChoices)[number];

/** What queued and scheduled emails take of the account's rate at most. The rest is for requests that send at once. */
export const queuedShareOfRate = 0.8;

/**
 * How many per mille of an account's emails make AWS review it (SES developer guide, "Reputation metrics messages").
 */
export const reviewPerMille = { bounced: 50, complained: 1 } as const;
