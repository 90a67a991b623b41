/**
 * Few sends have these outcomes. Their events have a separate list, by the time of the outcome: a send with several
 * such events is in it several times.
 */
export const listedOutcomes = ['delayed', 'soft_bounced', 'bounced', 'complained'] as const;
export type ListedOutcome = (typeof listedOutcomes)[number];
