/** A function may use a replaced secret for this long. */
export const secretKeptForMs = 300_000;

/** After a rotation, the operator secret and the cron secret of before are accepted for this long. */
export const previousAcceptedForMs = 3_600_000;
