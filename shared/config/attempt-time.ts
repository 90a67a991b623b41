/**
 * HTTP API ends a request after 30 seconds: a younger attempt may still be at work. An older one never calls SES again,
 * so the rest of its doubt window is left to SES's Send event.
 */
export const longestAttemptMs = 30_000;

/** After this long, a call to SES is abandoned, its outcome unknown. */
export const longestCallMs = 8_000;

/** For how long a call that SES surely didn't take is repeated by default, within one attempt. */
export const longestRetryingMs = 2_000;

/** How long a request with a lot to do starts further work. What it has started gets the rest of the 30 seconds. */
export const workBudgetMs = 20_000;
