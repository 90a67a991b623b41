/**
 * HTTP API ends a request after 30 seconds, so a younger attempt may still be at work. An older one never calls SES
 * again, so the rest of its lease is only for SES's Send event.
 */
export const longestAttemptMs = 30_000;

/** A call to SES that takes longer is abandoned, its outcome unknown. */
export const longestCallMs = 8_000;

/** How long, by default, a call that SES certainly didn't take is repeated within one attempt. */
export const longestProviderRetryingMs = 2_000;

/** All files behind URLs of an email must be there within this time. */
export const longestFetchMs = 10_000;
