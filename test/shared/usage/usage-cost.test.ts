import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measuredCosts, sesPricePlans, sesPrices } from '#shared/config/ses-prices';
import { costsOf, shareOut, sumCosts, type Used } from '#shared/usage/usage-cost';

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const use = (
  sends: number,
  recipients = sends,
  attachmentBytes = 0,
  webhookMessages = 0,
): Used => ({ sends, recipients, attachmentBytes, webhookMessages });

const { millionSends, millionDeliveries, metricsMonth, idleMonth } = measuredCosts;
const cents = (dollars: number) => Math.round(dollars * 100);
const busyMonth = idleMonth + metricsMonth;
const money = (dollars: number) => `$${dollars.toFixed(2)}`;

describe('the cost of organizations', () => {
  it.each([
    // A million recipients at $0.16 a thousand, what the emails cost besides SES, and the deployment.
    [
      'essentials',
      [use(1e6)],
      [{ ses: 16_000, service: cents(millionSends), fixed: cents(busyMonth) }],
    ],
    // Two webhooks an email.
    [
      'essentials',
      [use(1e6, 1e6, 0, 2e6)],
      [{ service: cents(millionSends + 2 * millionDeliveries) }],
    ],
    // The plan's month is shared by recipients.
    [
      'pro',
      [use(300), use(100)],
      [
        { ses: 7, fixed: cents((105 + busyMonth) * 0.75) },
        { ses: 2, fixed: cents((105 + busyMonth) * 0.25) },
      ],
    ],
    ['a_la_carte', [use(1, 1, 1e9)], [{ ses: 12, fixed: cents(busyMonth) }]],
    // Nobody sent: each bears as much of what costs the same without use.
    [
      'essentials',
      [use(0), use(0)],
      [
        { ses: 0, fixed: Math.ceil(cents(idleMonth) / 2) },
        { fixed: Math.floor(cents(idleMonth) / 2) },
      ],
    ],
    ['essentials', [], []],
  ] as const)('by the plan %s for %j is %j', (plan, used, costs) => {
    expect(costsOf(plan, used)).toMatchObject(costs);
  });

  it('adds up to the cent, by part and by row', () => {
    const amount = fc.nat({ max: 20_000_000 });
    const used = fc.record({
      sends: amount,
      recipients: amount,
      attachmentBytes: fc.nat(),
      webhookMessages: amount,
    });
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
          const messages = sum(all.map((one) => one.webhookMessages));

          const near = (cents: number, dollars: number) =>
            expect(Math.abs(cents - dollars * 100)).toBeLessThan(0.51);
          near(ses, (recipients / 1e3) * thousand + (bytes / 1e9) * attachmentGb);
          near(service, (sends / 1e6) * millionSends + (messages / 1e6) * millionDeliveries);
          near(fixed, month + (recipients > 0 ? busyMonth : idleMonth));
          expect(total).toBe(ses + service + fixed);
          for (const cost of costs) expect(cost.total).toBe(cost.ses + cost.service + cost.fixed);
        },
      ),
    );
  });

  it('charges each organization its exact share to the cent', () => {
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

  it('uses the figures from the README', () => {
    const documentOf = (path: string) =>
      readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
    const sheet = documentOf('infra/README.md');
    const [, withFreeTier] = /about ([\d.]+) are left/.exec(sheet) ?? [];

    expect(sheet).toContain(`| **Besides SES** | | **${money(millionSends)}** |`);
    expect(sheet).toContain(`a webhook message costs ${money(millionDeliveries)} a million`);
    expect(sheet).toContain(`| **Together** | | **about ${idleMonth.toFixed(2)}** |`);
    const firstScreen = documentOf('README.md');
    const withWebhooks = money(millionSends + 3 * millionDeliveries);
    expect(firstScreen).toContain(
      `| ${money(millionSends)}, or ${withWebhooks} with three webhooks each, [measured](infra/README.md#cost)`,
    );
    expect(firstScreen).toContain(
      `$${withFreeTier} to $${idleMonth.toFixed(2)} a month while idle`,
    );
  });
});
