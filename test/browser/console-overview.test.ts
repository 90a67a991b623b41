import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint as overviewReference } from '../../functions/get-overview/get-overview.ts';
import { endpoint as usageReference } from '../../functions/get-usage/get-usage.ts';
import { axeFaults, axeFaultsAt } from '../support/axe-faults.ts';
import { type ConsoleLab, openConsoleLab } from '../support/console-lab.ts';
import { patience } from '../support/patience.ts';

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

/** A signed-in tab that shows the overview. */
async function openOverview(answers: Answers = {}, options: BrowserContextOptions = {}) {
  const { page, open, asked, complaints } = await lab.openTab(undefined, options);
  for (const [path, json] of Object.entries(answers)) {
    await page.route(new RegExp(`/api/v1/${path}`), (route) => route.fulfill({ json }));
  }
  await open('/console');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
  return { page, asked, complaints };
}
type Answers = { readonly overview?: unknown; readonly usage?: unknown };

const { total } = usageReference.answers[200].example;
const usage = {
  from: '2026-10-24',
  to: '2026-11-22',
  days: Array.from({ length: 30 }, (_, place) => ({
    ...total,
    day: new Date(Date.UTC(2026, 9, 24 + place)).toISOString().slice(0, 10),
  })),
  total: {
    ...total,
    sends: 3_600,
    events: { ...total.events, delivered: 3_270, bounced: 330, soft_bounced: 7 },
  },
  previous: { from: '2026-09-24', to: '2026-10-23', total: { ...total, sends: 3_000 } },
  tags: { month: '2026-11', busiest: [], lacking: 0 },
  receivingDomains: usageReference.answers[200].example.receivingDomains,
};
const { example } = overviewReference.answers[200];
const hostile = 'https://example.com/\u202E<script>alert(1)</script>';
const troubled = {
  ...example,
  organization: { paused: true, tenant: null },
  setup: { ...example.setup, isFinished: true },
  webhooks: example.webhooks.map((webhook) => ({ ...webhook, url: hostile })),
};

/** All soft bounces are automatic replies to delivered emails. */
const bounces = { delivered: 96, bounced: 11, soft_bounced: 7 };
const bouncing = {
  ...usage,
  days: usage.days.map((day) => ({ ...day, sends: 100, events: { ...day.events, ...bounces } })),
};

/** Between the two fields of the dialog. */
const fieldGap = async (page: Page): Promise<number> => {
  const dialog = page.getByRole('dialog');
  const field = await dialog.getByLabel('From').boundingBox();
  const label = await dialog.getByText('Until', { exact: true }).boundingBox();
  return field && label ? label.y - field.y - field.height : 0;
};

describe('the overview', () => {
  it('leads a new team on, and shows its first email as soon as that is counted', async () => {
    const { page, asked, complaints } = await openOverview();
    const steps = page.getByRole('list').filter({ hasText: 'Send your first email' });
    await expect.poll(() => steps.getByText('To do').count()).toBeGreaterThan(0);
    expect(asked).toHaveLength(2);

    await lab.send('ann@example.com');
    // Its day may be over. Setup and figures are two answers, and either may be the older one.
    const day = page.locator('.usage tbody tr', { hasText: /11000$/ });
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Refresh' }).click();
          return [await page.getByText('All good').count(), await day.count()];
        },
        { ...patience, interval: 500 },
      )
      .toEqual([1, 1]);

    await page.getByText('Show as a table').click();
    expect(await day.getByRole('cell').allTextContents()).toEqual(['1', '1', '0', '0', '0']);
    expect(complaints).toEqual([]);
  });

  it('says first, and in red, that a rate is over its limit, and leads to who bounced', async () => {
    const { page, asked, complaints } = await openOverview({ usage });

    const first = page.locator('.notice').first();
    await expect.poll(() => first.textContent()).toContain('Hard bounces are at 8.97%.');
    expect(await first.getAttribute('class')).toContain('bad');
    const tile = page.locator('.tile', { hasText: 'Hard bounces' });
    expect(await tile.getAttribute('class')).toContain('bad');
    expect(await page.locator('.tile', { hasText: 'Sent' }).textContent()).toBe('Sent3,600+20%');
    expect(asked).toHaveLength(2);

    await page.getByRole('link', { name: 'See who bounced' }).click();
    await page.waitForURL(/\/console\/emails\?outcome=bounced&period=30d$/);
    expect(complaints).toEqual([]);
  });

  it('shows a day’s figures under the pointer, and leads to its emails', async () => {
    const { page, complaints } = await openOverview({ usage, overview: troubled });
    const days = page.locator('.plot .day');
    await expect.poll(() => days.count()).toBe(30);
    const caption = page.locator('figcaption');
    expect(await caption.textContent()).toContain('All 30 days');

    await days.nth(29).hover();
    await expect.poll(() => caption.textContent()).toContain('Nov 22');
    await days.nth(29).click();
    await page.waitForURL(/from=2026-11-22T00%3A00%3A00.000Z&until=2026-11-23T00%3A00%3A00.000Z/);
    expect(complaints).toEqual([]);
  });

  it('leads from the red part of a bar, from its figure and from the newest day to its bounces', async () => {
    const options = { timezoneId: 'Europe/Berlin' };
    const { page, complaints } = await openOverview(
      { usage: bouncing, overview: troubled },
      options,
    );
    const day = 'from=2026-11-22T00%3A00%3A00.000Z&outcome=bounced&until=2026-11-23';
    const soft = day.replace('=bounced', '=soft_bounced');
    const both = day.replace('=bounced', '=bounced%2Csoft_bounced');

    await page.locator('.plot .day').nth(29).locator('.hard').click();
    await page.waitForURL((url) => url.search.includes(day));
    // The day is UTC's, which isn't the reader's.
    await page.getByRole('button', { name: 'Nov 22 UTC', exact: true }).click();
    await page.getByRole('dialog').getByText('In your time zone, Europe/Berlin.').waitFor();
    expect(await page.getByRole('dialog').getByLabel('From').inputValue()).toBe('2026-11-22T01:00');
    expect(await fieldGap(page)).toBeGreaterThan(8);
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.goBack();
    await page.getByText('Show as a table').click();
    const row = page.locator('.usage tbody tr').first();
    expect(await row.getByRole('link').allTextContents()).toEqual(['Nov 22', '7', '4']);
    expect(await row.getByRole('link', { name: '7' }).getAttribute('href')).toContain(soft);

    await page.getByRole('link', { name: 'Today’s bounces' }).click();
    await page.waitForURL((url) => url.search.includes(both));
    expect(complaints).toEqual([]);
  });

  it.each([true, false])(
    'is believed by “Send a test” about the sandbox: production access %s',
    async (hasProductionAccess) => {
      const account = { ...example.account, hasProductionAccess };
      const { page } = await openOverview({ usage, overview: { ...example, account } });
      await page.getByRole('heading', { name: 'Emails by day' }).waitFor();

      await page.getByRole('link', { name: 'Emails', exact: true }).click();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByRole('dialog').getByLabel('Subject').waitFor();

      const hints = await page.getByRole('dialog').getByText('in the SES sandbox').count();
      expect(hints).toBe(hasProductionAccess ? 0 : 1);
    },
  );

  it('has no fault on a phone and on a wall, in light and dark', async () => {
    const { page } = await openOverview({ usage, overview: troubled });
    await page.getByText('Your organization is paused').waitFor();
    await page.getByText('Show as a table').click();

    for (const width of [320, 3840]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    expect(await axeFaultsAt(page, [320, 3840])).toEqual([]);
    expect(await page.getByText('<script>alert(1)</script>').count()).toBe(1);
  });
});
