import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint as metricsReference } from '../../functions/get-metrics/get-metrics.ts';
import { endpoint as overviewReference } from '../../functions/get-overview/get-overview.ts';
import { axeFaults, axeFaultsAt } from '../support/axe-faults.ts';
import { type ConsoleLab, openConsoleLab } from '../support/console-lab.ts';
import { buildMetrics } from '../support/metrics-builder.ts';
import { patience } from '../support/patience.ts';

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

/** A signed-in tab that shows the overview. */
async function openOverview(
  answers: Answers = {},
  options: BrowserContextOptions = {},
  address = '/console',
) {
  const { page, open, asked, complaints } = await lab.openTab(undefined, options);
  for (const [path, json] of Object.entries(answers)) {
    await page.route(new RegExp(`/api/v1/${path}`), (route) => route.fulfill({ json }));
  }
  await open(address);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  return { page, asked, complaints };
}
type Answers = { readonly overview?: unknown; readonly metrics?: unknown };

const { example } = overviewReference.answers[200];
const { example: measured } = metricsReference.answers[200];
const hostile = 'https://example.com/\u202E<script>alert(1)</script>';
const organization = { paused: false, tenant: null, dailyLimit: null };
const isFinished = { ...example.setup, isFinished: true };
const well = { ...example, organization, setup: isFinished, webhooks: [] };
const troubled = {
  ...well,
  organization: { ...organization, paused: true },
  webhooks: example.webhooks.map((webhook) => ({ ...webhook, url: hostile })),
};
const metrics = buildMetrics();

describe('the overview', () => {
  it('leads a new team on, and shows its first email as soon as that is counted', async () => {
    const { page, asked, complaints } = await openOverview();
    const steps = page.getByRole('list').filter({ hasText: 'Send your first email' });
    await expect.poll(() => steps.getByText('To do').count()).toBeGreaterThan(0);
    expect(asked).toHaveLength(2);

    await lab.send('ann@example.com');
    const day = page.locator('.plots tbody tr', { hasText: /110000$/ });
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
          await page.waitForLoadState('networkidle');
          const isWell = await page.getByText('Nothing needs your attention').count();
          return [isWell, await day.count()];
        },
        { ...patience, interval: 1_000 },
      )
      .toEqual([1, 1]);

    await page.getByText('Show as a table').click();
    expect(await day.getByRole('cell').allTextContents()).toEqual(['1', '1', '0', '0', '0', '0']);
    expect(complaints).toEqual([]);
  });

  it('says first, and in red, that a rate is over its limit, and leads to who bounced', async () => {
    const totals = { ...metrics.totals, sent: 3_600, bounced_permanent: 323 };
    const { page, asked, complaints } = await openOverview({
      metrics: { ...metrics, totals, previous: { ...measured.totals, sent: 3_000 } },
      overview: well,
    });

    const first = page.locator('.attention li').first();
    await expect.poll(() => first.textContent()).toContain('Hard bounces are at 8.97%.');
    expect(await first.getAttribute('class')).toContain('bad');
    const figures = page.locator('.five > div');
    expect(await figures.filter({ hasText: 'Hard bounces' }).locator('.bad').count()).toBe(1);
    expect(await figures.first().textContent()).toBe('Sent3,600+20% from the 30 days before');
    expect(asked).toHaveLength(2);

    await page.getByRole('link', { name: 'See who bounced' }).click();
    await page.waitForURL(/\/console\/emails\?outcome=bounced&period=30d$/);
    expect(complaints).toEqual([]);
  });

  it('says which day was over a limit, if the others were well below it', async () => {
    const { page } = await openOverview({ metrics: buildMetrics({ peak: 914 }), overview: well });

    const first = page.locator('.attention li').first();
    await expect
      .poll(() => first.textContent())
      .toMatch(/^Hard bounces reached 6\.\d+% on Nov 19\./);
    const link = page.getByRole('link', { name: 'See who bounced' });
    expect(await link.getAttribute('href')).toContain('2026-11-19T00%3A00%3A00.000Z');
  });

  it('shows what SES or the operator allows in a day', async () => {
    const dailyLimit = { recipients: 50_000, setBy: 'ses' };
    const limited = { ...well, organization: { ...organization, dailyLimit } };
    const { page } = await openOverview({ metrics, overview: limited });

    await page.getByText(/of SES’s 50,000 today/).waitFor();
  });

  it('shows a day’s figures under the pointer, and leads to its emails', async () => {
    const { page, complaints } = await openOverview({ metrics, overview: troubled });
    const days = page.locator('.cursor a');
    await expect.poll(() => days.count()).toBe(30);
    const caption = page.locator('figcaption');
    expect(await caption.textContent()).toContain('Last 30 days');

    await days.nth(29).hover();
    await expect.poll(() => caption.textContent()).toContain('Nov 22');
    await days.nth(29).click();
    await page.waitForURL(/from=2026-11-22T00%3A00%3A00.000Z&until=2026-11-23T00%3A00%3A00.000Z/);
    expect(complaints).toEqual([]);
  });

  it('leads from a figure of the table to its bounces, in any time zone', async () => {
    const options = { timezoneId: 'Europe/Berlin' };
    const { page, complaints } = await openOverview({ metrics, overview: troubled }, options);
    const day = 'from=2026-11-22T00%3A00%3A00.000Z&outcome=bounced&until=2026-11-23';

    await page.getByText('Show as a table').click();
    const row = page.locator('.plots tbody tr').first();
    const [name, soft, hard] = await row.getByRole('link').all();
    expect(await name?.textContent()).toBe('Nov 22');
    expect(await soft?.getAttribute('href')).toContain('outcome=soft_bounced');
    await hard?.click();
    await page.waitForURL((url) => url.search.includes(day));
    expect(complaints).toEqual([]);
  });

  it.each([
    ['24h', 'hour'],
    ['7d', 'day'],
    ['90d', 'day'],
  ])('asks for the range %s by %s, in the reader’s zone', async (range, interval) => {
    const { page, asked } = await openOverview(
      {},
      { timezoneId: 'Asia/Kolkata' },
      `/console?range=${range}`,
    );

    await expect.poll(() => asked.filter((one) => one.includes('/metrics')).length).toBe(1);
    const [question = ''] = asked.filter((one) => one.includes('/metrics'));
    expect(question).toContain(`interval=${interval}`);
    expect(question).toMatch(/timeZone=Asia(%2F|\/)(Kolkata|Calcutta)/);
    const chosen = page.getByRole('navigation', { name: 'Time' }).locator('[aria-current]');
    expect(await chosen.textContent()).toBe(range.replace(/\D$/, ' $&'));
  });

  it.each([true, false])(
    'is believed by “Send a test” about the sandbox: production access %s',
    async (hasProductionAccess) => {
      const account = { ...example.account, hasProductionAccess };
      const { page } = await openOverview({ metrics, overview: { ...example, account } });
      await page.getByRole('heading', { name: 'Emails by day' }).waitFor();

      await page.getByRole('link', { name: 'Emails', exact: true }).click();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByRole('dialog').getByLabel('Subject').waitFor();

      const hints = await page.getByRole('dialog').getByText('in the SES sandbox').count();
      expect(hints).toBe(hasProductionAccess ? 0 : 1);
    },
  );

  it('has no fault on a phone and on a wall, in light and dark', async () => {
    const { page } = await openOverview({ metrics, overview: troubled });
    await page.getByText('Your organization is paused').waitFor();
    await page.getByText('Show as a table').click();

    for (const width of [320, 3840]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    expect(await axeFaultsAt(page, [320, 3840])).toEqual([]);
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.getByText('<script>alert(1)</script>').count()).toBe(1);
  });
});
