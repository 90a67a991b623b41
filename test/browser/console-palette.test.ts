import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults, axeFaultsAt } from '../support/axe-faults.ts';
import { type ConsoleLab, openConsoleLab, settled } from '../support/console-lab.ts';

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
  await lab.send('grace@example.com', { subject: 'Your receipt #1037' });
  await lab.call('POST', '/api/v1/suppressions', { email: 'grace@left.example' });
});
afterAll(() => lab?.close());

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search everything' });

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
}

const options = (page: Page) => palette(page).getByRole('option');

describe('the palette', () => {
  it('opens anywhere by Ctrl-K, while one types too, and Esc gives the focus back', async () => {
    const { page, open, complaints } = await lab.openTab();
    await open('/console/emails');
    await page.keyboard.press('/');

    await openPalette(page);
    await page.keyboard.type('sett');
    expect(await palette(page).getByRole('option', { selected: true }).textContent()).toBe(
      'Settings',
    );
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });

    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Search emails');
    expect(complaints).toEqual([]);
  });

  it('shows addresses first, then emails, and opens the one that is chosen', async () => {
    const { page, open } = await lab.openTab();
    await open('/console');
    await openPalette(page);

    await page.keyboard.type('grace');
    await options(page).filter({ hasText: 'Your receipt #1037' }).waitFor();
    await options(page).filter({ hasText: 'grace@left.example' }).waitFor();
    const texts = await options(page).allTextContents();
    expect(
      texts
        .slice(0, 2)
        .sort()
        .map((text) => text.slice(0, 14)),
    ).toEqual(['grace@example.', 'grace@left.exa']);
    expect(texts.find((text) => text.startsWith('grace@left'))).toContain('Blocked by your team');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await options(page).nth(2).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Your receipt #1037', level: 1 }).waitFor();
  });

  it('leads to an address that nobody has written to, and to all emails with a word', async () => {
    const { page, open } = await lab.openTab();
    await open('/console');
    await openPalette(page);
    await page.keyboard.type('nobody@example.com');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/addresses\/nobody%40/);

    await openPalette(page);
    await page.keyboard.type('receipt');
    await page.keyboard.press('Control+Enter');

    await expect.poll(() => page.url()).toMatch(/\/console\/emails\?search=receipt$/);
  });

  it('starts what people do, and closing that leaves a plain address', async () => {
    const { page, open } = await lab.openTab();
    await open('/console');
    await openPalette(page);
    await page.keyboard.type('create');

    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create an API key' }).waitFor();
    await page.keyboard.press('Escape');

    await expect.poll(() => page.url()).toMatch(/\/console\/keys$/);
  });

  it('offers only what a role may do, and asks nothing that the service refuses', async () => {
    await lab.call('POST', '/api/v1/people', { email: 'vera@example.com', role: 'viewer' });
    const { page, open, complaints } = await lab.openTabOf('vera@example.com');
    await open('/console');
    await openPalette(page);
    const texts = await options(page).allTextContents();

    await page.keyboard.type('grace');
    await options(page).filter({ hasText: 'Your receipt #1037' }).waitFor();

    expect(texts).toContain('Emails');
    expect(texts).not.toContain('Create an API key…');
    expect(texts).not.toContain('Settings');
    expect(complaints).toEqual([]);
  });

  it('fits phones and has no fault that axe finds, in light and dark', async () => {
    const { page, open } = await lab.openTab();
    await page.setViewportSize({ width: 320, height: 700 });
    await open('/console/emails');
    await page.getByRole('button', { name: 'Search' }).click();
    await palette(page).waitFor();
    await page.keyboard.type('grace');
    await options(page).filter({ hasText: 'Your receipt #1037' }).waitFor();

    expect(await axeFaultsAt(page, [320, 1440])).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1440);
  });
});

describe('the keys', () => {
  it('are listed by ?, unless one types or the settings turn them off', async () => {
    const { page, open } = await lab.openTab();
    await open('/console');
    const list = page.getByRole('dialog', { name: 'Keys' });
    await page.keyboard.press('?');
    await list.waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });

    await open('/console/emails');
    await page.getByLabel('Search emails').focus();
    await page.keyboard.press('?');
    expect(await page.getByLabel('Search emails').inputValue()).toBe('?');
    await open('/console/settings');
    await page.getByLabel('goes to the search box of a list').uncheck();
    await open('/console');
    await page.keyboard.press('?');
    await openPalette(page);

    expect(await list.count()).toBe(0);
  });
});

describe('a page from the API', () => {
  it('is shown as the calls that it made, with a placeholder for the key', async () => {
    const { page, open } = await lab.openTab();
    await open('/console/emails?search=receipt');
    await page.getByRole('button', { name: 'This page from the API' }).click();
    const dialog = page.getByRole('dialog', { name: 'This page from the API' });
    const { baseUrl } = lab.stack.description;

    await dialog.getByText(`curl '${baseUrl}/api/v1/sends?search=receipt'`).waitFor();
    await dialog.getByText('Bearer $EMAIL_API_KEY').first().waitFor();
    expect(await axeFaultsAt(page, [320, 1440])).toEqual([]);
    await dialog.getByRole('tab', { name: 'JavaScript' }).click();
    await dialog.getByText('await fetch(').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
    await settled(page);
    await page.getByRole('button', { name: 'This page from the API' }).click();

    await dialog.getByText('GET /api/v1/contacts', { exact: true }).waitFor();
    expect(await dialog.getByText('/api/v1/sends').count()).toBe(0);
  });
});
