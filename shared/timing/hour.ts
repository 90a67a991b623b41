export const hourMs = 3_600_000;

/** Hours since the epoch. */
export const hourOf = (now: number): number => Math.floor(now / hourMs);

export const hourEndOf = (now: number): number => (hourOf(now) + 1) * hourMs;
