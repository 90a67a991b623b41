/** Names a domain's organization in SES. Roles are restricted by this tag. */
export const ownerTag = 'transactional-email-organization';

/** The events that put an address on SES's own suppression list, after which SES drops the next email to it. */
export const sesSuppressionChoices = ['nobody', 'bounces', 'bounces_and_complaints'] as const;
export type SesSuppressionChoice = (typeof sesSuppressionChoices)[number];
