import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { axeFaultsAt } from '../support/axe-faults.ts';
import {
  type ConsoleLab,
  complaintsOf,
  goPatiently,
  openConsoleLab,
  signOut,
} from '../support/console-lab.ts';

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

/** In a browser that never signed in. */
async function openInbox(address = '/') {
  const context = await lab.browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto(`${lab.stack.description.baseUrl}${address}`);
  return { page, complaints };
}

describe('the twin’s inbox', () => {
  it('shows an email as it is sent, also the first one, without a reload', async () => {
    const { page, complaints } = await openInbox();
    await page.getByText('Empty since the last start.').waitFor();
    await page.evaluate('window.isSame = true');

    await lab.send('ann@example.com', { subject: '<b>First</b>' });
    await page.getByRole('link', { name: '<b>First</b>' }).waitFor();
    await lab.send('bob@example.com', { subject: 'Second' });
    await page.getByRole('link', { name: 'Second' }).waitFor();

    const subjects = await page.locator('#inbox tbody tr td:nth-child(2)').allTextContents();
    expect(subjects).toEqual(['Second', '<b>First</b>']);
    expect(await page.getByText('Empty since the last start.').isVisible()).toBe(false);
    expect(await page.evaluate('window.isSame')).toBe(true);
    expect(await axeFaultsAt(page, [390, 1440])).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('is searched, and read page by page', async () => {
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    for (const number of numbers) await lab.send(`page${number}@example.com`);
    const { page, complaints } = await openInbox();
    const rows = page.locator('#inbox tbody tr');

    await page.getByLabel('Search the inbox').fill('page');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=page/);
    expect(await rows.count()).toBe(50);
    await page.getByRole('link', { name: 'Older' }).click();
    await page.waitForURL(/before=/);

    expect(await rows.count()).toBe(10);
    expect(await rows.last().textContent()).toContain('page0@example.com');
    await page.getByRole('link', { name: 'Newest' }).click();
    await page.getByText('page59@example.com', { exact: true }).waitFor();
    // A search stays live: only what it looks for shows up.
    await lab.send('other@example.com');
    await lab.send('page60@example.com');
    await page.getByText('page60@example.com', { exact: true }).waitFor();
    expect(await page.getByText('other@example.com', { exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('leads from an email to its page in the console, signed in', async () => {
    await lab.send('carol@example.com', { subject: 'What became of it' });
    const { page, complaints } = await openInbox('/?search=carol');

    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByRole('heading', { name: 'What became of it' }).waitFor();
    expect(page.url()).toMatch(/\/console\/emails\/snd_/);
    await page.goBack();
    await page.getByRole('link', { name: 'Timeline' }).click();

    await page.getByRole('heading', { name: 'What became of it' }).waitFor();
    await signOut(page);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // It signs in again where the console has just been left.
    await goPatiently(page, `${lab.stack.description.baseUrl}/_local/console?to=/console/keys`);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/keys');
    expect(complaints).toEqual([]);
  });
});
