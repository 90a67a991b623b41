/** A day as `YYYY-MM-DD`, in UTC. Text order is the order of time. */
export type Day = string;

const dayMs = 86_400_000;

/** What is usual of a key is judged by so many days. */
export const usualDays = 30;

/** The day in which a moment (epoch milliseconds, below the year 10000) lies. */
export const dayOf = (moment: number): Day => new Date(moment).toISOString().slice(0, 10);

/** The day that is so many days earlier. */
export const daysBefore = (day: Day, days: number): Day => dayOf(Date.parse(day) - days * dayMs);
