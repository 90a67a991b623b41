import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeConsoleLink } from '../../infra/local/console-link.ts';
import { type LocalStack, startLocalStack } from '../../infra/local/stack.ts';
import { launchChromium } from '../shared/pages/chromium.ts';

let stack: LocalStack;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startLocalStack({ quiet: true }), launchChromium()]);
  const { baseUrl, manageKey } = stack.description;
  page = await browser.newPage();
  await page.goto(await makeConsoleLink(baseUrl, manageKey));
  await page.getByRole('button', { name: 'Sign in to the console' }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
});
afterAll(() => Promise.all([browser?.close(), stack?.stop()]));

const open = (path: string) => page.goto(`${stack.description.baseUrl}/console/settings${path}`);

/** What somebody else does meanwhile. */
const change = (settings: Record<string, unknown>) =>
  fetch(`${stack.description.baseUrl}/api/v1/organization`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${stack.description.manageKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(settings),
  });

describe('the footer', () => {
  it('is shown as it is saved, and nobody’s change is lost unseen', async () => {
    await open('/footer');
    const text = page.getByLabel('Text of the footer');
    await text.fill('Mine\n1 Example Street');
    await change({ footerText: 'Theirs' });

    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByRole('alert').getByText('Somebody else has changed the footer').waitFor();
    expect(await text.inputValue()).toBe('Mine\n1 Example Street');
    const preview = page.frameLocator('iframe').first();
    await preview.locator('pre', { hasText: 'Theirs' }).waitFor();

    await page.getByRole('button', { name: 'Save' }).first().click();
    await preview.locator('pre', { hasText: '-- \nMine\n1 Example Street\n' }).waitFor();
    expect(await text.inputValue()).toBe('Mine\n1 Example Street');
  });

  it('sends nothing when nothing was changed, and null for what was emptied', async () => {
    await change({ footerText: 'Present', replyTo: 'help@example.com' });
    await open('');
    const bodies: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') bodies.push(request.postData());
    });
    const sender = page.locator('form', { hasText: 'Answers go to' });

    await sender.getByRole('button', { name: 'Save' }).click();
    await sender.getByText('Nothing to save').waitFor();
    await sender.getByLabel('Answers go to').fill('');
    await sender.getByRole('button', { name: 'Save' }).click();
    await sender.getByText('Saved.').waitFor();

    expect(bodies).toEqual([JSON.stringify({ replyTo: null })]);
  });
});

describe('the pages for people', () => {
  it('are shown one by one, and the back button leads back', async () => {
    await open('/footer');
    const heading = page.frameLocator('iframe').nth(1).locator('h1');
    await heading.getByText('Email preferences').waitFor();

    await page.getByRole('link', { name: 'Unsubscribe?' }).click();
    await heading.getByText('Unsubscribe?').waitFor();
    await page.goBack();

    await heading.getByText('Email preferences').waitFor();
  });

  it('run nothing, and belong to no origin', async () => {
    await open('/footer');
    await page.frameLocator('iframe').nth(1).locator('h1').waitFor();

    const reachable = await page.evaluate(
      "[...document.querySelectorAll('iframe')].map((frame) => frame.contentDocument !== null)",
    );

    expect(reachable).toEqual([false, false]);
  });
});

describe('the name', () => {
  it('is that of the whole console once it is saved', async () => {
    await open('');
    await page.getByLabel('Name of the organization').fill('Northwind Coffee');

    await page.locator('form', { hasText: 'Name of the' }).getByRole('button').click();

    await page.locator('header', { hasText: 'Northwind Coffee' }).waitFor();
  });
});

describe('the audit', () => {
  it('says what was before and after, and leads to the key that did it', async () => {
    await change({ senderName: 'Before' });
    await change({ senderName: 'After' });
    await open('/audit');
    const latest = page.getByRole('main').getByRole('listitem').first();

    expect(await latest.locator('del').innerText()).toContain('Before');
    expect(await latest.locator('ins').innerText()).toContain('After');
    await latest.getByRole('link', { name: 'manage', exact: true }).click();

    const key = page.locator('li[aria-current=true]');
    await key.getByText('you are signed in with it', { exact: true }).waitFor();
  });
});
