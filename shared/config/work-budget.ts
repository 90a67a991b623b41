/**
 * How long a request with a lot to do starts further work. What it has started gets the rest of HTTP API's 30 seconds.
 */
export const workBudgetMs = 20_000;

/** No function that changes what the audit records may run longer, but `declare-domain`, which mostly waits. */
export const longestWorkSeconds = 120;
