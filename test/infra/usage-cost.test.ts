import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measuredCosts, sesPricePlans, sesPrices } from '../../infra/settings/ses-prices.ts';
import { costsOf, shareOut, sumCosts, type Used } from '../../infra/settings/usage-cost.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const use = (sends: number, recipients = sends, attachmentBytes = 0): Used => ({
  sends,
  recipients,
  attachmentBytes,
});

describe('the cost of organizations', () => {
  it.each([
    // A million recipients at $0.16 a thousand, $11.95 besides SES, and the idle deployment.
    ['essentials', [use(1e6)], [{ ses: 16_000, service: 1_195, fixed: 1_055 }]],
    // The plan's month is shared by recipients.
    [
      'pro',
      [use(300), use(100)],
      [
        { ses: 7, fixed: 8_666 },
        { ses: 2, fixed: 2_889 },
      ],
    ],
    ['a_la_carte', [use(1, 1, 1e9)], [{ ses: 12, fixed: 1_055 }]],
    // Nobody sent: each bears as much of what costs the same without use.
    ['essentials', [use(0), use(0)], [{ ses: 0, fixed: 528 }, { fixed: 527 }]],
    ['essentials', [], []],
  ] as const)('by the plan %s for %j is %j', (plan, used, costs) => {
    expect(costsOf(plan, used)).toMatchObject(costs);
  });

  it('adds up to the whole to the cent, in each part and in the rows', () => {
    const amount = fc.nat({ max: 20_000_000 });
    const used = fc.record({ sends: amount, recipients: amount, attachmentBytes: fc.nat() });
    fc.assert(
      fc.property(
        fc.constantFrom(...sesPricePlans),
        fc.array(used, { minLength: 1, maxLength: 60 }),
        (plan, all) => {
          const costs = costsOf(plan, all);
          const { ses, service, fixed, total } = sumCosts(costs);
          const { thousand, month, attachmentGb } = sesPrices[plan];
          const recipients = sum(all.map((one) => one.recipients));
          const bytes = sum(all.map(({ attachmentBytes }) => attachmentBytes));
          const sends = sum(all.map((one) => one.sends));

          const near = (cents: number, dollars: number) =>
            expect(Math.abs(cents - dollars * 100)).toBeLessThan(0.51);
          near(ses, (recipients / 1e3) * thousand + (bytes / 1e9) * attachmentGb);
          near(service, (sends / 1e6) * measuredCosts.millionSends);
          near(fixed, month + measuredCosts.idleMonth);
          expect(total).toBe(ses + service + fixed);
          for (const cost of costs) expect(cost.total).toBe(cost.ses + cost.service + cost.fixed);
        },
      ),
    );
  });

  it('gives nobody a cent more or less than it used', () => {
    const dollars = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { maxLength: 60 });
    fc.assert(
      fc.property(dollars, (amounts) => {
        const cents = shareOut(amounts);

        expect(sum(cents)).toBe(Math.round(sum(amounts.map((amount) => amount * 100))));
        for (const [index, amount] of amounts.entries()) {
          expect(Math.abs((cents[index] ?? 0) - amount * 100)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('is by the figures that the operator reads', () => {
    const documentOf = (path: string) =>
      readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
    const sheet = documentOf('infra/README.md');
    const [, withFreeTier] = /about ([\d.]+) are left/.exec(sheet) ?? [];
    const idleMonth = measuredCosts.idleMonth.toFixed(2);

    expect(sheet).toContain(`| **Besides SES** | | **$${measuredCosts.millionSends}** |`);
    expect(sheet).toContain(`| **Together** | | **about ${idleMonth}** |`);
    const firstScreen = documentOf('README.md');
    expect(firstScreen).toContain(
      `| $${measuredCosts.millionSends} [measured](infra/README.md#cost)`,
    );
    expect(firstScreen).toContain(`$${withFreeTier} to $${idleMonth} a month while idle`);
  });
});
