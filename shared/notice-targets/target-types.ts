export const maxTargets = 5;

export const targetTypes = ['slack', 'teams', 'pagerduty'] as const;
export type TargetType = (typeof targetTypes)[number];

/** PagerDuty's service regions: an account is in one of them. */
export const pagerDutyRegions = ['us', 'eu'] as const;
export type PagerDutyRegion = (typeof pagerDutyRegions)[number];
