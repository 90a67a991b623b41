/** A function may use a replaced secret for this long. */
export const secretKeptForMs = 300_000;
