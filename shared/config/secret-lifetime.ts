/** How long a function goes on using a secret that was replaced, at most. */
export const secretKeptForMs = 300_000;
