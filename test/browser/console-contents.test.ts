import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleLab, openConsoleLab } from '../support/console-lab.ts';

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

const focused = (page: Page) => page.evaluate('document.activeElement.tagName');

describe('support, asked for a copy of a receipt', () => {
  it('turns content storage on, sees what went out while nothing in it runs, and sends it again', async () => {
    const { page, open, complaints, asked, showKey } = await lab.openTab();
    await showKey();
    const main = page.getByRole('main');
    const receipt = {
      subject: 'Your receipt',
      htmlContent:
        '<h1 style="color: red">Thank you, Ann</h1><script>document.title = "ran"</script><a href="https://example.com/out">out</a>',
    };
    const before = await lab.send('ann@example.com', receipt);
    await open(`/console/emails/${before.sendId}`);
    await main.getByText('Content isn’t stored').waitFor();

    await open('/console/settings');
    await page.getByLabel('Content storage').selectOption('30');
    await page.locator('form', { hasText: 'Content storage' }).getByRole('button').click();
    await expect
      .poll(() => lab.call('GET', '/api/v1/organization'))
      .toMatchObject({ keepContentDays: 30 });

    await lab.call('POST', '/api/v1/suppressions', { email: 'gone@example.com' });
    const to = ['ann@example.com', 'gone@example.com'];
    const { sendId } = await lab.send('ann@example.com', { ...receipt, to });
    await open(`/console/emails/${sendId}`);
    expect(asked.filter((path) => path.includes('/content'))).toEqual([]);
    await page.getByRole('button', { name: 'Show content' }).click();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Thank you, Ann' }).waitFor();
    expect(await page.title()).not.toBe('ran');
    await page.getByRole('tab', { name: 'Text' }).click();
    await main.getByRole('tabpanel').getByText('Hello').waitFor();
    await page.keyboard.press('ArrowLeft');
    await main.getByText('<script>document.title = "ran"</script>').waitFor();
    await page.getByRole('tab', { name: 'Headers' }).click();
    await main.getByText('Subject: Your receipt').waitFor();
    expect(await main.getByRole('tabpanel').textContent()).not.toContain('gone@example.com');

    await page.getByRole('button', { name: 'Send again…' }).click();
    await page
      .getByRole('dialog')
      .getByLabel('Send to someone else instead')
      .fill('ann@work.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
    await main.getByText('Sent again: it repeats').waitFor();
    await main.getByText('ann@work.example').first().waitFor();
    await expect.poll(() => focused(page)).toBe('H1');
    await page.getByRole('link', { name: 'an earlier email' }).click();
    await main.getByText('Sent again: open the new email').waitFor();
    await expect.poll(() => focused(page)).toBe('H1');
    // Chromium says that it kept the script from running.
    expect(complaints.filter((text) => !/script|sandbox/i.test(text))).toEqual([]);
  });

  it('reschedules a waiting email, then cancels it', async () => {
    const { page, open } = await lab.openTab();
    const main = page.getByRole('main');
    const sendAt = Date.now() + 3_600_000;
    const { sendId } = await lab.send('ann@example.com', { sendAt });
    const story = () => lab.call('GET', `/api/v1/sends/${sendId}`);
    const inTwoDays = new Date(sendAt + 2 * 86_400_000).toISOString().slice(0, 16);
    await open(`/console/emails/${sendId}`);
    await main.getByText('It’s encrypted, and kept only to be sent.').waitFor();
    await main.getByText('Goes out', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Reschedule…' }).click();
    await page.getByLabel('Send at').fill(inTwoDays);
    await page.getByRole('button', { name: 'Reschedule', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const moved = await story();
    await page.getByRole('button', { name: 'Cancel this email' }).click();
    await page.getByRole('button', { name: 'Cancel the email' }).click();
    await main.getByText('Canceled', { exact: true }).first().waitFor();

    await main.getByText('This email didn’t go out.').waitFor();
    expect(moved).toMatchObject({ send: { status: 'scheduled' } });
    expect(moved).not.toMatchObject({ send: { sendAt } });
    expect(await story()).toMatchObject({ send: { status: 'canceled' } });
    expect(await page.getByRole('button', { name: 'Reschedule…' }).count()).toBe(0);
    await expect.poll(() => focused(page)).toBe('H1');
  });

  it('learns that someone else canceled the email first, and sees it', async () => {
    const { page, open } = await lab.openTab();
    const { sendId } = await lab.send('ann@example.com', { sendAt: Date.now() + 3_600_000 });
    await page.route(`**/api/v1/sends/${sendId}`, async (route) => {
      const isMoved = route.request().method() === 'PATCH';
      if (isMoved) await lab.call('POST', `/api/v1/sends/${sendId}/cancel`);
      await route.continue();
    });
    await open(`/console/emails/${sendId}`);

    await page.getByRole('button', { name: 'Reschedule…' }).click();
    await page.getByRole('button', { name: 'Reschedule', exact: true }).click();

    await page.getByText('Too late: it’s no longer waiting').waitFor({ state: 'attached' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('main').getByText('This email didn’t go out.').waitFor();
  });
});
