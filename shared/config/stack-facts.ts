// What the functions and the stacks or commands around them have to agree on.

/** How long a function uses a secret that was replaced meanwhile, at most. */
export const secretKeptForMs = 300_000;

/** The tag of a domain in SES that says which organization it is for. Roles are restricted by it. */
export const ownerTag = 'transactional-email-organization';

/** What puts an address on SES's own suppression list, so that SES drops the next email to it. */
export const sesSuppressionChoices = ['nobody', 'bounces', 'bounces_and_complaints'] as const;
export type SesSuppressionChoice = (typeof sesSuppressionChoices)[number];

/**
 * HTTP API ends a request after 30 seconds. An attempt that is younger may still be at work. One that is older
 * calls SES no more, so the rest of its doubt window is left to SES's Send event.
 */
export const longestAttemptMs = 30_000;

/** One call to SES is abandoned, its outcome unknown, after this long. */
export const longestCallMs = 8_000;

/** How long a request with a lot to do goes on to further work. The rest of the 30 seconds is for what it has begun. */
export const workBudgetMs = 20_000;
