/** How long a function may go on using a replaced secret. */
export const secretKeptForMs = 300_000;

/** How long after a rotation the previous operator and cron secrets are accepted. */
export const previousAcceptedForMs = 3_600_000;
