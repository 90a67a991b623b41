/** The outcomes that a send's own item tells, and that have a list. The others' lists have the events' items. */
export const ownOutcomes = ['suppressed', 'failed', 'canceled', 'opened', 'clicked'] as const;
export type OwnOutcome = (typeof ownOutcomes)[number];
