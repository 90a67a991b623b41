/**
 * How long a request with a lot to do starts further work. What it has started gets the rest of HTTP API's 30 seconds.
 */
export const workBudgetMs = 20_000;
