import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sesPricePlans } from '#shared/config/ses-prices';
import { monthCost } from '#shared/usage/month-cost';

const used = { sends: 1_000_000, recipients: 1_000_000, attachmentBytes: 0, webhookMessages: 0 };
const at = (day: number, hour = 0) => Date.UTC(2026, 10, day, hour);

describe('the cost of a month', () => {
  it('is forecast by the pace so far, with the fixed costs once', () => {
    const cost = monthCost('essentials', used, '2026-11', at(16));

    expect(cost.ses).toBe(16_000);
    expect(cost.total).toBe(cost.ses + cost.service + cost.fixed);
    // Half of November is over.
    expect(cost.forecast).toBe(2 * (cost.ses + cost.service) + cost.fixed);
  });

  it('has no forecast on its first day, and is its own at the end', () => {
    expect(monthCost('essentials', used, '2026-11', at(1, 23)).forecast).toBeUndefined();
    const { total, forecast } = monthCost('essentials', used, '2026-11', at(31));
    expect(forecast).toBe(total);
  });

  it('is never more than its forecast', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...sesPricePlans),
        fc.nat({ max: 10_000_000 }),
        fc.integer({ min: at(2), max: at(31) - 1 }),
        (plan, recipients, now) => {
          const given = { ...used, recipients, sends: recipients };
          const { total, forecast = 0 } = monthCost(plan, given, '2026-11', now);
          expect(forecast).toBeGreaterThanOrEqual(total);
          expect(Number.isInteger(forecast)).toBe(true);
        },
      ),
    );
  });
});
