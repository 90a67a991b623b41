import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { axeFaults } from '../support/axe-faults.ts';
import {
  type ConsoleLab,
  goPatiently,
  openConsoleLab,
  settled,
  signInByKey,
  signOut,
} from '../support/console-lab.ts';

const organizationSchema = z.object({ apiKey: z.object({ key: z.string() }) });
const identitySchema = z.object({ zoneFile: z.string() });

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

const ask = (method: string, path: string, headers: Record<string, string>, body: unknown) =>
  fetch(new URL(path, lab.stack.description.baseUrl), {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

/** What the operator hands to a new team: the first key of its organization. */
async function newTeam(name: string): Promise<string> {
  const secret = { 'x-operator-secret': lab.stack.description.operatorSecret };
  const response = await ask('POST', '/api/v1/organizations', secret, { name });
  return organizationSchema.parse(await response.json()).apiKey.key;
}

const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true });

describe('a new team', () => {
  it('goes from its first key to its first delivered email', async () => {
    const key = await newTeam('Northwind Coffee');
    const page = await lab.browser.newPage();
    await goPatiently(page, `${lab.stack.description.baseUrl}/console`);

    await signInByKey(page, key);
    await link(page, 'Domains').click();
    await page.getByRole('button', { name: 'Add domain' }).click();

    // The domain, and its records.
    await page.getByLabel('Domain', { exact: true }).fill('mail.northwind.example');
    await page.getByLabel('From address').fill('hello@mail.northwind.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
    await page.getByText('Waiting for DNS').first().waitFor();
    const records = page.getByRole('table', { name: 'DNS records' }).getByRole('row');
    await records.getByText('missing').first().waitFor();
    const states = (of: string) => records.filter({ hasText: of }).getByText('missing').count();
    expect([await states('Ownership'), await states('DKIM'), await states('SPF')]).toEqual([
      1, 3, 1,
    ]);
    await page.getByRole('button', { name: 'Copy name of ownership' }).waitFor();
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await axeFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 1_280, height: 720 });
    const identity = await ask(
      'GET',
      '/api/v1/organization/identity',
      { authorization: `Bearer ${key}` },
      undefined,
    );
    const { zoneFile } = identitySchema.parse(await identity.json());
    await ask('POST', '/_local/dns', {}, zoneFile);
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Verified', { exact: true }).first().waitFor();

    // A second domain, which then is the default.
    await link(page, 'Domains').click();
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByLabel('Domain', { exact: true }).fill('shop.northwind.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('heading', { name: 'shop.northwind.example', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('Verification started').waitFor();
    const second = await ask(
      'GET',
      '/api/v1/domains/shop.northwind.example',
      { authorization: `Bearer ${key}` },
      undefined,
    );
    const shop = identitySchema.parse(await second.json());
    await ask('POST', '/_local/dns', {}, shop.zoneFile);
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Verified', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Set as default…' }).click();
    await page.getByRole('button', { name: 'Set as default', exact: true }).click();
    await page.getByText('Default', { exact: true }).waitFor();

    // It has them, and no longer wants the second.
    await link(page, 'Domains').click();
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByLabel('Domain', { exact: true }).fill('Mail.Northwind.Example');
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
    await page.getByText('mail.northwind.example is already in the list.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'shop.northwind.example' }).click();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Remove this domain' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('link', { name: 'mail.northwind.example' }).click();
    const removed = `${lab.stack.description.baseUrl}/api/v1/domains/shop.northwind.example`;
    const since = asked.slice(asked.indexOf(`DELETE ${removed}`) + 1);
    expect(since).not.toContain(`GET ${removed}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Set as default…' }).click();
    await page.getByRole('button', { name: 'Set as default', exact: true }).click();
    await page.getByText('Default', { exact: true }).waitFor();

    // A key for the application, shown once.
    await link(page, 'API keys').click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const shown = page.locator('.notice code');
    await shown.waitFor();
    const sendKey = (await shown.textContent()) ?? '';
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'shop' }).waitFor();
    expect(await page.content()).not.toContain(sendKey);

    // The application sends.
    const sent = await ask(
      'POST',
      '/api/v1/emails/send',
      { authorization: `Bearer ${sendKey}` },
      { to: 'ann@example.com', subject: 'Reset your password', content: 'Follow the link.' },
    );
    expect(sent.status).toBe(200);

    // Did Ann get it?
    await link(page, 'Emails').click();
    await page.getByLabel('Search emails').fill('ann@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Reset your password' }).dblclick();
    await page.getByRole('list', { name: 'Steps' }).waitFor();
    await expect
      .poll(async () => {
        await page.reload();
        await settled(page);
        return page.getByText('Delivered to the recipient’s server').count();
      })
      .toBe(1);
  });
});

describe('the removal of a domain', () => {
  it('that is to replace the default says where emails still come from', async () => {
    const key = await newTeam('Southwind Tea');
    const use = async (domain: string) => {
      const body = { domain, fromEmail: `hello@${domain}` };
      const headers = { authorization: `Bearer ${key}` };
      const answer = await ask('PUT', '/api/v1/organization/identity', headers, body);
      return identitySchema.parse(await answer.json()).zoneFile;
    };
    await ask('POST', '/_local/dns', {}, await use('mail.southwind.example'));
    await use('mail.southwind.example');
    await use('typo.southwind.example');
    const page = await lab.browser.newPage();
    onTestFinished(() => page.close());
    await goPatiently(page, `${lab.stack.description.baseUrl}/console/domains`);
    await signInByKey(page, key);

    await page.getByRole('link', { name: 'typo.southwind.example' }).click();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Remove this domain' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('still come from hello@mail.southwind.example').waitFor();
    expect(await dialog.getByText('So is every send').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();

    await page.getByRole('link', { name: 'mail.southwind.example' }).click();
    await page.getByText('Verified', { exact: true }).first().waitFor();
  });
});

describe('two tabs of one browser', () => {
  it('are of the same organization, whichever of them signs in or out', async () => {
    const keys = [await newTeam('First Ltd'), await newTeam('Second Ltd')];
    const context = await lab.browser.newContext();
    onTestFinished(() => context.close());
    const [here, other] = [await context.newPage(), await context.newPage()];
    const signIn = (page: Page, key = '') => signInByKey(page, key);
    const title = (page: Page, name: string) => page.getByRole('banner').getByText(name);

    for (const page of [here, other]) {
      await goPatiently(page, `${lab.stack.description.baseUrl}/console/domains`);
      await page.getByLabel('Email address').waitFor();
    }
    await signIn(here, keys[0]);
    await title(other, 'First Ltd').waitFor();
    await signOut(other);
    await here.getByLabel('Email address').waitFor();
    expect(await here.getByText('Your session has expired').count()).toBe(0);
    await signIn(other, keys[1]);

    await title(here, 'Second Ltd').waitFor();
    await here.getByRole('heading', { name: 'Domains', exact: true }).waitFor();
    await settled(here);

    // An expired session is told from one that was signed out of.
    await context.clearCookies();
    await link(here, 'Contacts').click();
    await here.getByText('Your session has expired').waitFor();
    await signIn(here, keys[1]);
    await signOut(here);
    await here.getByLabel('Email address').waitFor();
    expect(await here.getByText('Your session has expired').count()).toBe(0);
  });
});
