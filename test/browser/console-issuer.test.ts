import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { axeFaultsAt } from '../support/axe-faults.ts';
import { goPatiently, openConsoleLab, signOut } from '../support/console-lab.ts';

const lab = await openConsoleLab({ withIssuer: true });
afterAll(lab.close);
const { baseUrl } = lab.stack.description;
const email = 'admin@mail.example.com';

describe('somebody who signs in with the issuer', () => {
  it('comes to the page that they opened, proves again who they are, and signs out at the issuer', async () => {
    const context = await lab.browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();

    await goPatiently(page, `${baseUrl}/console/keys`);
    await page.getByRole('button', { name: 'Continue with the local issuer' }).waitFor();
    expect(await axeFaultsAt(page, [390, 1440])).toEqual([]);
    await page.getByRole('button', { name: 'Continue with the local issuer' }).click();
    await page.getByRole('button', { name: email }).click();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await page.locator('.foot').getByText(email).waitFor();

    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'Create an API key' });
    await form.getByLabel('Name', { exact: true }).fill('shop');
    await form.getByRole('button', { name: 'Create key' }).click();
    const question = page.getByRole('dialog', { name: 'Sign in again' });
    const opening = context.waitForEvent('page');
    await question.getByRole('link', { name: 'Sign in again in another tab' }).click();
    const tab = await opening;
    await tab.getByRole('button', { name: email }).click();
    await tab.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByText('Copy the key “shop” now.').waitFor();

    await signOut(tab);
    await tab.waitForURL(/\/session\/end/);
    await goPatiently(page, `${baseUrl}/console`);
    await page.getByRole('button', { name: 'Continue with the local issuer' }).waitFor();
  });
});
