// What the functions and the stacks or commands around them have to agree on.

/** The longest a function keeps using a secret after it was replaced. */
export const secretKeptForMs = 300_000;

/** The tag that says which organization SES has a domain for. IAM restricts roles by it. */
export const ownerTag = 'transactional-email-organization';

/** What puts an address on SES's own suppression list, so that SES drops further email to it. */
export const sesSuppressionChoices = ['nobody', 'bounces', 'bounces_and_complaints'] as const;
export type SesSuppressionChoice = (typeof sesSuppressionChoices)[number];

/**
 * HTTP API ends a request after 30 seconds. A younger attempt may still be running. An older one no longer calls SES,
 * so the rest of its doubt window is left to SES's Send event.
 */
export const longestAttemptMs = 30_000;

/** A call to SES is abandoned, outcome unknown, after this long. */
export const longestCallMs = 8_000;

/** How long a request with much to do starts further work. The rest of the 30 seconds is for finishing. */
export const workBudgetMs = 20_000;
