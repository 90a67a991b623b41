import type { SesPlan } from '#shared/config/ses-prices';
import { dayMs } from '#shared/timing/day';
import { hourMs } from '#shared/timing/hour';
import { hoursOfMonth, type Month } from './month.ts';
import { type Cost, costsOf, type Used } from './usage-cost.ts';

export type MonthCost = Cost & {
  /** What the whole month costs if it goes on as it did so far; `undefined` on its first day. */
  readonly forecast: number | undefined;
};

/** In cents. The fixed costs are the deployment's, whoever else uses it. */
export function monthCost(plan: SesPlan, used: Used, month: Month, now: number): MonthCost {
  const { from, until } = hoursOfMonth(month);
  const [start, end] = [from * hourMs, until * hourMs];
  const elapsed = Math.min(end, now) - start;
  const whole = (end - start) / elapsed;
  return {
    ...costOf(plan, used),
    forecast: elapsed < dayMs ? undefined : costOf(plan, timesOf(used, whole)).total,
  };
}

const timesOf = (used: Used, factor: number): Used => ({
  sends: used.sends * factor,
  recipients: used.recipients * factor,
  attachmentBytes: used.attachmentBytes * factor,
  webhookMessages: used.webhookMessages * factor,
});

function costOf(plan: SesPlan, used: Used): Cost {
  const [cost] = costsOf(plan, [used]);
  return cost ?? { ses: 0, service: 0, fixed: 0, total: 0 };
}
