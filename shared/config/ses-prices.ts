export const sesPricePlans = ['essentials', 'pro', 'enterprise', 'a_la_carte'] as const;
export type SesPlan = (typeof sesPricePlans)[number];

/**
 * In us-east-1, in dollars: per thousand recipients, up to 10 million a month (with a plan, less beyond), per month,
 * and per GB of attachments. An account has one plan per Region: Essentials, if it first sent after 2026-07-21. Source:
 * AWS's SES price list of 2026-07-22, as others quote it (2026-11-23). Check aws.amazon.com/ses/pricing before a
 * decision.
 */
export const sesPrices: Readonly<
  Record<
    SesPlan,
    { readonly thousand: number; readonly month: number; readonly attachmentGb: number }
  >
> = {
  essentials: { thousand: 0.16, month: 0, attachmentGb: 0 },
  pro: { thousand: 0.22, month: 105, attachmentGb: 0 },
  enterprise: { thousand: 0.23, month: 500, attachmentGb: 0 },
  a_la_carte: { thousand: 0.1, month: 0, attachmentGb: 0.12 },
};

/**
 * In dollars, besides SES, by `npm run cost`: a million sends, a million webhook messages delivered at once, the custom
 * metrics of a month with sends, and a month without any. infra/README.md, Cost, itemizes them.
 */
export const measuredCosts = {
  millionSends: 15.72,
  millionDeliveries: 9.04,
  metricsMonth: 0.9,
  idleMonth: 13.85,
} as const;

/** By SES's API names (API reference, "PricingAttributes"). */
export const planNames: Readonly<Record<string, SesPlan>> = {
  ESSENTIALS: 'essentials',
  PRO: 'pro',
  ENTERPRISE: 'enterprise',
  NONE: 'a_la_carte',
};

/** "pro: $0.22 for a thousand recipients, $105 a month". */
export function wordsOfPlan(plan: SesPlan): string {
  const { thousand, month } = sesPrices[plan];
  const monthly = month === 0 ? '' : `, $${month} a month`;
  return `${plan}: $${thousand.toFixed(2)} for a thousand recipients${monthly}`;
}
