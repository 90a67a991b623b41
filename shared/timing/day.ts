export const dayMs = 86_400_000;

/** A day as `YYYY-MM-DD`, in UTC. Text order is time order. */
export type Day = string;

/** The end of 9999: ISO 8601 writes later years with a sign, which few programs read. */
export const latestMoment = 253_402_300_799_999;

/** Epoch milliseconds, up to `latestMoment`. */
export const dayOf = (moment: number): Day => new Date(moment).toISOString().slice(0, 10);

export const daysBefore = (day: Day, days: number): Day => dayOf(Date.parse(day) - days * dayMs);
