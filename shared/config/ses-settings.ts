/** Names a domain's organization in SES. Roles are restricted by it. */
export const ownerTag = 'transactional-email-organization';

/** What puts an address on SES's own suppression list, so that SES drops the next email to it. */
export const sesSuppressionChoices = ['nobody', 'bounces', 'bounces_and_complaints'] as const;
export type SesSuppressionChoice = (typeof sesSuppressionChoices)[number];
