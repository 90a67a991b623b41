import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { axeFaultsAt } from '../support/axe-faults.ts';
import {
  type ConsoleLab,
  openConsoleLab,
  openOwnMenu,
  settled,
  stopPolls,
} from '../support/console-lab.ts';

const createdSchema = z.object({
  organization: z.object({ id: z.string() }),
  apiKey: z.object({ key: z.string() }),
});

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

const invite = (email: string, role: string, key?: string) =>
  lab.call('POST', '/api/v1/people', { email, role }, key);

/** @returns the key of its manager */
async function createOrganization(name: string): Promise<string> {
  const { baseUrl, operatorSecret } = lab.stack.description;
  const response = await fetch(`${baseUrl}/api/v1/organizations`, {
    method: 'POST',
    headers: { 'x-operator-secret': operatorSecret, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  return createdSchema.parse(await response.json()).apiKey.key;
}

type Tab = Awaited<ReturnType<ConsoleLab['openTabOf']>>;

const overviewOf = ({ page }: Tab) => page.getByRole('heading', { level: 1, name: 'Overview' });

describe('the organizations of a person', () => {
  it('are a menu that switches all tabs, to the overview and with the role there', async () => {
    const key = await createOrganization('Other Ltd');
    await invite('ann@example.com', 'admin');
    const before = await lab.openTabOf('ann@example.com');
    await before.open('/console');
    expect(await before.page.getByRole('button', { name: 'switch organization' }).count()).toBe(0);

    await invite('ann@example.com', 'viewer', key);
    await before.open('/console');
    const other = await before.page.context().newPage();
    await other.goto(`${lab.stack.description.baseUrl}/console/keys`);
    await other.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    const { page } = before;
    const menu = page.getByRole('button', { name: 'switch organization' });
    await menu.click();
    const choices = page.getByRole('list', { name: 'Your organizations' }).getByRole('button');
    expect(await choices.count()).toBe(2);
    expect(await axeFaultsAt(page, [320, 1440])).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await choices.count()).toBe(0);
    await menu.click();
    await choices.filter({ hasText: 'Other Ltd' }).click();

    const there = { name: 'Other Ltd, switch organization' };
    await page.getByRole('button', there).waitFor();
    await page.locator('.foot').getByText('Viewer').waitFor();
    await other.getByRole('button', there).waitFor();
    await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(new URL(other.url()).pathname).toBe('/console');
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    expect(before.complaints).toEqual([]);
  });

  it('say so if one has removed them since', async () => {
    const key = await createOrganization('Former Ltd');
    await invite('bob@example.com', 'viewer');
    const { id } = z
      .object({ id: z.string() })
      .parse(await invite('bob@example.com', 'viewer', key));
    const tab = await lab.openTabOf('bob@example.com', { viewport: { width: 390, height: 844 } });
    await tab.open('/console');
    await lab.call('DELETE', `/api/v1/people/${id}`, undefined, key);

    await tab.page.getByRole('button', { name: 'switch organization' }).click();
    await tab.page.getByRole('button', { name: 'Former Ltd' }).click();

    await tab.page.getByText('You can’t sign in to this organization.').waitFor();
    await overviewOf(tab).waitFor();
  });
});

describe('the sessions of a person', () => {
  it('are listed with their browsers, and end one by one or all others at once', async () => {
    await invite('carol@example.com', 'support');
    const userAgent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1';
    const phone = await lab.openTabOf('carol@example.com', { userAgent });
    const laptop = await lab.openTabOf('carol@example.com');
    const third = await lab.openTabOf('carol@example.com');
    // What they ask by themselves would sign them out before a click does.
    await Promise.all([stopPolls(phone.page), stopPolls(third.page)]);
    await Promise.all([phone.open('/console'), laptop.open('/console'), third.open('/console')]);

    const { page } = laptop;
    await openOwnMenu(page);
    await page.getByRole('link', { name: 'Your account' }).click();
    await page.getByRole('heading', { level: 1, name: 'You' }).waitFor();
    await settled(page);
    const rows = page.getByRole('table', { name: 'Where you’re signed in' }).locator('tbody tr');
    expect(await rows.count()).toBe(3);
    const own = rows.filter({ hasText: 'This one' });
    expect(await own.textContent()).toContain('Chrome on Linux');
    expect(await axeFaultsAt(page, [320, 390, 1440])).toEqual([]);

    await rows.getByRole('button', { name: 'Sign out Safari on iPhone' }).click();
    await page.getByText('That browser is signed out').waitFor();
    await phone.page.getByRole('link', { name: 'Contacts' }).click();
    await phone.page.getByText('your access was revoked').waitFor();
    await page.getByRole('button', { name: 'Sign out everywhere else…' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Sign out everywhere else' })
      .click();
    await page.getByText('Signed out everywhere else').waitFor();
    await third.page.getByRole('link', { name: 'Contacts' }).click();
    await third.page.getByText('your access was revoked').waitFor();
    expect(await rows.count()).toBe(1);

    await own.getByRole('button', { name: /Sign out/ }).click();
    await page.getByLabel('Email address').waitFor();
    expect(laptop.complaints).toEqual([]);
  });

  it('are also there for somebody with an API key, who is in one organization', async () => {
    const { page, open, asked } = await lab.openTab();

    await open('/console/you');

    await page.getByRole('link', { name: 'an API key' }).waitFor();
    await page.getByText('This one').waitFor();
    expect(await page.getByRole('button', { name: 'switch organization' }).count()).toBe(0);
    expect(asked).toEqual([]);
  });
});
