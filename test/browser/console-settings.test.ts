import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { axeFaults, axeFaultsAt } from '../support/axe-faults.ts';
import { type ConsoleLab, loseAnswer, openConsoleLab, stopPolls } from '../support/console-lab.ts';

let lab: ConsoleLab;
let tab: Awaited<ReturnType<ConsoleLab['signIn']>>;
let page: Page;

beforeAll(async () => {
  lab = await openConsoleLab();
  tab = await lab.signIn();
  page = tab.page;
  await stopPolls(page);
});
afterAll(() => lab?.close());

/** A part of the settings, or another page. */
const open = (path: string) =>
  tab.open(path.startsWith('/console') ? path : `/console/settings${path}`);

/** Someone else's change. */
const change = (settings: Record<string, unknown>) =>
  lab.call('PATCH', '/api/v1/organization', settings);

describe('the footer', () => {
  it('shows what is saved, and never loses a change unseen', async () => {
    await open('/footer');
    const text = page.getByLabel('Footer text');
    await text.fill('Mine\n1 Example Street');
    await change({ footerText: 'Theirs' });

    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByRole('alert').getByText('Someone else changed the footer').waitFor();
    expect(await text.inputValue()).toBe('Mine\n1 Example Street');
    const preview = page.frameLocator('iframe').first();
    await preview.locator('pre', { hasText: 'Theirs' }).waitFor();

    await page.getByRole('button', { name: 'Save' }).first().click();
    await preview.locator('pre', { hasText: '-- \nMine\n1 Example Street\n' }).waitFor();
    expect(await text.inputValue()).toBe('Mine\n1 Example Street');
  });

  it('sends nothing when nothing changed, and null for an emptied field', async () => {
    await change({ footerText: 'Present', replyTo: 'help@example.com' });
    await tab.showKey();
    await open('');
    const bodies: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') bodies.push(request.postData());
    });
    const sender = page.locator('form', { hasText: 'Reply-To address' });

    await sender.getByRole('button', { name: 'Save' }).click();
    await sender.getByText('Nothing to save').waitFor();
    await sender.getByLabel('Reply-To address').fill('');
    await sender.getByRole('button', { name: 'Save' }).click();
    await sender.getByText('Saved.').waitFor();

    expect(bodies).toEqual([JSON.stringify({ replyTo: null })]);
  });
});

describe('the forms of a page', () => {
  it('keep what was typed, and undo no unseen change that another form has read', async () => {
    await open('');
    const form = (label: string) => page.locator('form', { hasText: label });
    const [name, sender, emails] = [
      form('Organization name'),
      form('Sender name'),
      form('Content storage'),
    ];
    const save = async (one: typeof name, outcome: string) => {
      await one.getByRole('button', { name: 'Save' }).click();
      await one.getByText(outcome).waitFor();
    };
    await sender.getByLabel('Sender name').fill('Mine');
    await emails.getByLabel('Content storage').selectOption('7');
    await change({ senderName: 'Theirs', keepContentDays: 30 });

    await name.getByLabel('Organization name').fill('Example GmbH');
    await save(name, 'Saved.');
    await save(sender, 'Someone else changed the sender name.');
    await save(emails, 'Someone else changed how long content is stored.');
    expect(await sender.getByLabel('Sender name').inputValue()).toBe('Mine');
    expect(await emails.getByLabel('Content storage').inputValue()).toBe('7');
    await save(emails, 'Saved.');

    expect(await emails.getByLabel('Content storage').inputValue()).toBe('7');
    expect(await lab.call('GET', '/api/v1/organization')).toMatchObject({
      senderName: 'Theirs',
      keepContentDays: 7,
    });
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

describe('tracking and one-click unsubscribe', () => {
  it('are set for all emails, for a policy, and shown again', async () => {
    const bodies: (string | null)[] = [];
    const watch = (request: Request) => {
      if (['PATCH', 'PUT'].includes(request.method())) bodies.push(request.postData());
    };
    page.on('request', watch);
    await open('');
    const sends = page.locator('form', { hasText: 'Track opens' });
    await sends.getByLabel('Track opens').selectOption('off');
    await sends.getByRole('button', { name: 'Save' }).click();
    await sends.getByText('Saved.').waitFor();
    expect(await sends.getByLabel('Track opens').inputValue()).toBe('off');
    await sends.getByLabel('Track opens').selectOption('');
    await sends.getByRole('button', { name: 'Save' }).click();
    await sends.getByText('Saved.').waitFor();

    await open('/footer');
    const headers = page.locator('form', { hasText: 'Transactional emails' });
    await headers.getByLabel('Transactional emails').selectOption('off');
    await headers.getByRole('button', { name: 'Save' }).click();
    await headers.getByText('Saved.').waitFor();

    await open('/policies');
    await page.getByRole('button', { name: 'Create policy' }).click();
    const create = page.getByRole('dialog');
    await create.getByLabel('Key').fill('password-reset');
    await create.getByLabel('Kind').selectOption('transactional');
    await create.getByLabel('Track opens').selectOption('off');
    await create.getByLabel('Track clicks').selectOption('off');
    expect(await axeFaults(page)).toEqual([]);
    await create.getByRole('button', { name: 'Create policy' }).click();
    await page.getByText('Tracking: opens off, clicks off.').waitFor();
    page.off('request', watch);

    expect(bodies.map((body) => JSON.parse(body ?? ''))).toEqual([
      { tracking: { opens: false } },
      { tracking: null },
      { transactionalUnsubscribe: false },
      { kind: 'transactional', tracking: { opens: false, clicks: false } },
    ]);
  });
});

describe('a policy', () => {
  it('isn’t replaced unseen if a colleague changed or created it in between', async () => {
    const put = (key: string, policy: object) => lab.call('PUT', `/api/v1/policies/${key}`, policy);
    await put('weekly', { kind: 'bulk' });
    await open('/policies');
    await page.getByRole('button', { name: 'Edit the policy weekly' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Track opens').selectOption('off');
    await put('weekly', { kind: 'bulk', keepsContent: false });

    const save = dialog.getByRole('button', { name: 'Save' });
    await save.click();
    await dialog.getByText('Someone else changed this policy.').waitFor();
    expect(await dialog.getByLabel('Track opens').inputValue()).toBe('off');
    await save.click();
    await page.getByRole('main').getByText('Tracking: opens off.').waitFor();

    await open('/policies');
    await page.getByRole('button', { name: 'Create policy' }).click();
    await put('offers', { kind: 'transactional' });
    await dialog.getByLabel('Key').fill('offers');
    await dialog.getByRole('button', { name: 'Create policy' }).click();
    await dialog.getByText('There’s already a policy offers.').waitFor();
  });

  it('is saved and created though the answer was lost, and blames nobody', async () => {
    await open('/policies');
    const dialog = page.getByRole('dialog');
    const gone = page.locator('dialog');
    const twice = async (button: string) => {
      await dialog.getByRole('button', { name: button }).click();
      await dialog.getByText('can’t be reached').waitFor();
      await dialog.getByRole('button', { name: button }).click();
      await gone.waitFor({ state: 'detached' });
    };
    await loseAnswer(page, '**/api/v1/policies/receipts');
    await page.getByRole('button', { name: 'Create policy' }).click();
    await dialog.getByLabel('Key').fill('receipts');
    await dialog.getByLabel('Kind').selectOption('transactional');
    await twice('Create policy');
    await page.unrouteAll({ behavior: 'wait' });

    await loseAnswer(page, '**/api/v1/policies/receipts');
    await page.getByRole('button', { name: 'Edit the policy receipts' }).click();
    await dialog.getByLabel('Track clicks').selectOption('off');
    await twice('Save');
    await page.unrouteAll({ behavior: 'wait' });

    await page.getByRole('main').getByText('Tracking: clicks off.').waitFor();
  });
});

describe('a category', () => {
  it('that is deleted leaves the focus at the title of the page', async () => {
    await lab.call('POST', '/api/v1/categories', { key: 'old', name: 'Old offers' });
    await open('/policies');

    await page.getByRole('button', { name: 'Delete the category Old offers' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Old offers', { exact: true }).waitFor({ state: 'detached' });

    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
  });
});

describe('the name', () => {
  it('changes in the whole console once it’s saved', async () => {
    await open('');
    await page.getByLabel('Organization name').fill('Northwind Coffee');

    await page.locator('form', { hasText: 'Organization name' }).getByRole('button').click();

    await page.locator('header', { hasText: 'Northwind Coffee' }).waitFor();
  });
});

it.each([390, 1_440])('has its tabs below the title at %i px', async (width) => {
  await page.setViewportSize({ width, height: 800 });
  await open('/policies');

  const title = await page.getByRole('heading', { name: 'Settings Policies' }).boundingBox();
  const tabs = await page.getByRole('navigation', { name: 'Settings' }).boundingBox();

  expect(tabs?.y).toBeGreaterThan((title?.y ?? 800) + (title?.height ?? 0) - 1);
});

describe('the audit', () => {
  it('shows before and after, and links to the key that did it', async () => {
    await change({ senderName: 'Before' });
    await change({ senderName: 'After' });
    await open('/audit');
    const latest = page.getByRole('main').getByRole('listitem').first();

    expect(await latest.locator('del').innerText()).toContain('Before');
    expect(await latest.locator('ins').innerText()).toContain('After');
    await latest.getByRole('link', { name: 'manage', exact: true }).click();

    const key = page.getByRole('dialog', { name: 'manage' });
    await key.getByText('Signed in', { exact: true }).waitFor();
    await key.getByText('everything').waitFor();
  });
});

describe('a key', () => {
  it('is created after the manager’s key was shown, is shown once, and changes only what differs', async () => {
    const { page, open: openIn } = await lab.openTab();
    await openIn('/console');
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'Create' });
    await form.getByLabel('Name').fill('till 2030');
    await form.getByLabel('Expires').fill('2030-01-01T12:00');
    const make = form.getByRole('button', { name: 'Create key' });
    await make.click();
    const question = page.getByRole('dialog', { name: 'Enter your API key' });
    await question.getByLabel('Your API key').fill('esk_wrong');
    await question.getByRole('button', { name: 'Continue' }).click();
    await question.getByRole('alert').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await question.getByLabel('Your API key').fill(lab.stack.description.manageKey);
    await question.getByLabel('Your API key').press('Enter');
    await page.getByText('Copy the key “till 2030” now.').waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'till 2030' }).click();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Edit the key till 2030' }).click();
    const change = page.waitForRequest((request) => request.method() === 'PATCH');

    const edit = page.getByRole('dialog', { name: 'Edit this key' });
    await edit.getByLabel('Name').fill('till 2031');
    await edit.getByRole('button', { name: 'Save' }).click();

    expect((await change).postDataJSON()).toEqual({ name: 'till 2031' });
    await page.getByRole('dialog', { name: 'till 2031' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });
});

const parts = [
  '',
  '/console/refused',
  '/policies',
  '/notices',
  '/footer',
  '/audit',
  '/people',
  '/console/domains',
  '/console/domains/mail.example.com',
  '/console/keys',
  '/console/usage',
  '/console/usage?by=day',
  '/console/changelog',
];

it.each(parts)(
  '%s fits, has no fault that axe finds, and asks twice at most, names apart',
  async (part) => {
    await open(part);
    await page.waitForLoadState('networkidle');
    await page.evaluate(
      'document.querySelectorAll("details").forEach((one) => { one.open = true })',
    );

    for (const width of [320, 1_440]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    expect(await axeFaultsAt(page, [320, 1_440])).toEqual([]);
    expect(tab.asked.filter((path) => !isOfNames(part, path)).length).toBeLessThanOrEqual(2);
  },
);

/** The audit names people and things, whose lists are asked once. */
const isOfNames = (part: string, path: string): boolean =>
  part === '/audit' && /\/(?:people|api-keys|templates|webhooks)$/.test(path);

it('shows the parts of a version under headings in the changelog', async () => {
  await open('/console/changelog');

  await page.getByRole('heading', { name: /^1\.0\.0 - /, level: 2 }).waitFor();
  await page.getByRole('heading', { name: 'What it does', level: 3, exact: true }).waitFor();
});

it('shows usage as a table where there is room, each month in one line', async () => {
  await page.setViewportSize({ width: 1_440, height: 800 });
  await open('/console/usage');

  const header = await page.getByRole('columnheader', { name: 'Delivered' }).boundingBox();
  const row = await page.getByRole('row').nth(1).boundingBox();

  expect(header?.height).toBeLessThan(60);
  expect(row?.width).toBeGreaterThan(600);
});

describe('the refused requests', () => {
  it('say which program gets 400, what it was told, and link to what the code means', async () => {
    const { baseUrl, apiKey } = lab.stack.description;
    const refused = await fetch(`${baseUrl}/api/v1/emails/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: 'ann@example.com', html: '<p>Hi</p>' }),
    });
    await open('/console/keys');
    await page.getByRole('link', { name: 'send', exact: true }).click();
    await page.getByRole('dialog').getByText('In the last hour').waitFor();
    const heights = new Set<unknown>(
      await page.evaluate(
        '[...document.querySelectorAll("dialog .buttons > button")].map((one) => one.offsetHeight)',
      ),
    );
    expect(heights.size).toBe(1);
    const dialogOfKey = page.getByRole('dialog');
    await dialogOfKey.getByRole('link', { name: 'Refused requests', exact: true }).click();

    const row = page.locator('li', { hasText: refused.headers.get('x-request-id') ?? '' });
    await row.getByText('POST /api/v1/emails/send').waitFor();
    expect(await row.innerText()).toMatch(
      /subject is required.*html unknown field: use htmlContent/,
    );
    expect(await row.getByRole('link', { name: 'validation_failed' }).getAttribute('href')).toBe(
      '/docs/api/errors#validation_failed',
    );

    // What happened comes first, and one click shows only that.
    await page.getByRole('link', { name: 'validation_failed' }).first().click();
    await expect.poll(() => new URL(page.url()).searchParams.get('code')).toBe('validation_failed');
    await row.waitFor();
    await page
      .getByLabel('Search refused requests')
      .fill(refused.headers.get('x-request-id') ?? '');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('code')).toBeNull();
    await row.waitFor();

    await page.getByLabel('Search refused requests').fill('rate_limited');
    await page.keyboard.press('Enter');
    await page.getByText('No match').waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });
});

describe('where notices go', () => {
  it('is added, tested and deleted, and its secret is never shown again', async () => {
    await open('/console/settings/notices');
    await page.getByRole('button', { name: 'Add a target…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a target for notices' });
    await dialog.getByLabel('Name').fill('on-call');
    await dialog.getByLabel('Webhook URL').fill('https://evil.example/services/secret1234');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('Must be an incoming webhook of Slack').waitFor();
    // Nobody listens there.
    await dialog.getByLabel('Webhook URL').fill('http://localhost:9/services/secret1234');
    await dialog.getByRole('button', { name: 'Add' }).click();

    const row = page.locator('li', { hasText: 'on-call' });
    await row.getByText('localhost:9…1234').waitFor();
    await row.getByRole('button', { name: 'Send a test to on-call' }).click();
    await row.getByText('the connection was refused').waitFor();
    expect(await page.content()).not.toContain('secret1234');
    expect(await axeFaults(page)).toEqual([]);

    await row.getByRole('button', { name: 'Delete on-call' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  });
});

describe('a test key', () => {
  it('is made like any other, and its emails are a switch away from the real ones', async () => {
    const created = await lab.call('POST', '/api/v1/api-keys', {
      name: 'continuous integration',
      test: true,
    });
    const { key } = z.object({ key: z.string() }).parse(created);
    const email = { to: 'ann@example.com', subject: 'Only a test', content: 'Hi' };
    await lab.call('POST', '/api/v1/emails/send', email, key);
    await open('/console/keys');
    await page
      .locator('tr', { hasText: 'continuous integration' })
      .getByText('Test', { exact: true })
      .waitFor();

    await open('/console/emails');
    await page.getByRole('heading', { name: 'Emails', exact: true }).waitFor();
    expect(await page.getByText('Only a test').count()).toBe(0);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Mode').selectOption('Test emails');
    await page.getByRole('heading', { name: 'Test emails' }).waitFor();
    await page.getByLabel('Search emails').fill('ann@example.com');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('to=ann');
    await page.getByRole('link', { name: 'Only a test' }).waitFor();
    expect(new URL(page.url()).searchParams.get('test')).toBe('true');
    expect(await axeFaults(page)).toEqual([]);

    await page.getByRole('link', { name: 'Only a test' }).dblclick();
    await page.getByText('Sent with a test key').waitFor();
  });
});
