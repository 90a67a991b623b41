export const dayMs = 86_400_000;

/** A day as `YYYY-MM-DD`, in UTC. Text order is time order. */
export type Day = string;

/** Epoch milliseconds, below the year 10000. */
export const dayOf = (moment: number): Day => new Date(moment).toISOString().slice(0, 10);

export const daysBefore = (day: Day, days: number): Day => dayOf(Date.parse(day) - days * dayMs);
