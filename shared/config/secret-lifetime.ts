/** How long a function uses a secret that was replaced meanwhile, at most. */
export const secretKeptForMs = 300_000;
