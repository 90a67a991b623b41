import { ownOutcomes } from '#shared/sending/own-outcomes';

/** Few sends have these outcomes, so each event has an entry: a send with several is in the list several times. */
export const reportedOutcomes = ['delayed', 'soft_bounced', 'bounced', 'complained'] as const;

/** Outcomes that have a list, by the time of the outcome. */
export const listedOutcomes = [...ownOutcomes, ...reportedOutcomes] as const;
export type ListedOutcome = (typeof listedOutcomes)[number];
