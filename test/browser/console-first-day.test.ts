import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { axeFaultsAt } from '../support/axe-faults.ts';
import {
  type ConsoleLab,
  complaintsOf,
  goPatiently,
  openConsoleLab,
  signInByKey,
  signOut,
} from '../support/console-lab.ts';
import { patience } from '../support/patience.ts';

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

const listSchema = z.object({ data: z.array(z.unknown()) });
const withId = z.looseObject({ id: z.string() });
const madeBy = async (path: string, body: object) =>
  withId.parse(await lab.call('POST', path, body));

/** Nobody listens there. */
const deadEnd = 'http://127.0.0.1:9/hook';
const waitForStory = async (sendId: string, what: RegExp) =>
  vi.waitFor(
    async () =>
      expect(JSON.stringify(await lab.call('GET', `/api/v1/sends/${sendId}`))).toMatch(what),
    patience,
  );

describe('a dialog', () => {
  it('has its cross in the corner, when a table’s row opens it, too', async () => {
    await lab.call('POST', '/api/v1/suppressions', { email: 'carl@example.com' });
    const { page, open } = await lab.openTab();
    await open('/console/suppressions');

    await page.getByRole('button', { name: 'Lift the suppression of carl@example.com' }).click();

    const dialog = await boxOf(page, 'dialog');
    const cross = await boxOf(page, '.cross');
    expect(cross.x + cross.width).toBeGreaterThan(dialog.x + dialog.width - 24);
    expect(cross.y - dialog.y).toBeLessThan(32);
    expect(await axeFaultsAt(page, [390, 900])).toEqual([]);
  });

  it.each([
    ['/console/keys', 'Create key'],
    ['/console/webhooks', 'Add endpoint'],
  ])('on %s shows its button in a window that is lower than it', async (address, name) => {
    const { page, open } = await lab.openTab();
    await page.setViewportSize({ width: 900, height: 600 });
    await open(address);

    await page.getByRole('button', { name }).click();

    const dialog = await boxOf(page, 'dialog');
    const button = await boxOf(page, `dialog button[type="submit"]`);
    expect(button.y + button.height).toBeLessThanOrEqual(dialog.y + dialog.height);
    await page.getByRole('dialog').locator('input').last().focus();
    const field = await boxOf(page, 'dialog :focus');
    expect(field.y + field.height).toBeLessThanOrEqual(
      (await boxOf(page, 'dialog button[type="submit"]')).y,
    );
  });
});

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).last().boundingBox();
  if (box === null) throw new Error(`${selector} isn’t shown`);
  return box;
}

describe('an endpoint that gets Resend’s form', () => {
  it('says whom each message is about, opens its email, and isn’t called well above retries', async () => {
    const { id } = await madeBy('/api/v1/webhooks', { url: `${deadEnd}/resend`, format: 'resend' });
    // As if it were asked before the first failure.
    const { page, open } = await lab.openTab();
    await page.route(`**/api/v1/webhooks/${id}`, async (route) => {
      const response = await route.fetch();
      const health = { status: 'well', exhausted: 0, delivered: 0, exhaustedShare: 0, outlook: '' };
      await route.fulfill({ json: { ...z.looseObject({}).parse(await response.json()), health } });
    });
    const { sendId } = await lab.send('ann@example.com');
    await waitForStory(sendId, /"type":"email.delivered"[^}]*"attempts":[1-9]/);
    await open(`/console/webhooks/${id}?send=${sendId}`);

    const row = page.getByRole('row').filter({ hasText: 'email.sent' });
    expect(await row.textContent()).toContain('ann@example.com');
    await page.locator('.head').getByText('Retrying').waitFor();
    await row.getByRole('link').click();
    await page.getByRole('link', { name: 'Open the email' }).click();

    await page.getByRole('heading', { name: 'News for ann@example.com' }).waitFor();
  });
});

describe('an email that is opened by its address', () => {
  it('names its key, its template and its endpoints', async () => {
    const template = { name: 'Receipt', subject: 'Your receipt', content: 'Hello' };
    const { id: templateId } = await madeBy('/api/v1/templates', template);
    const { id } = await madeBy('/api/v1/webhooks', { url: `${deadEnd}/named` });
    const fields = { subject: undefined, content: undefined, templateId };
    const { sendId } = await lab.send('bob@example.com', fields);
    await waitForStory(sendId, new RegExp(id));
    const { page, open } = await lab.openTab();

    await open(`/console/emails/${sendId}`);

    const main = page.getByRole('main');
    await main.getByText(`${deadEnd}/named`).first().waitFor();
    await expect.poll(() => main.getByRole('link', { name: 'Receipt' }).count()).toBe(2);
    await main.getByRole('link', { name: 'send', exact: true }).first().waitFor();
    expect(await main.innerText()).not.toMatch(/(?:whk|key|tpl)_/);
  });
});

describe('a key that is rotated', () => {
  it('asks for the key without alarm, and the list tells old from new', async () => {
    const made = z.object({ key: z.string() }).parse(
      await lab.call('POST', '/api/v1/api-keys', {
        name: 'ops',
        scopes: ['manage_organization'],
      }),
    );
    const { page, open } = await lab.openTab(made.key);
    await open('/console/keys');
    await page.getByRole('link', { name: 'ops' }).click();
    await page.getByRole('button', { name: 'Rotate the key ops' }).click();

    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Enter your API key' });
    await question.waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await question.getByLabel('Your API key').fill(made.key);
    await question.getByRole('button', { name: 'Continue' }).click();

    const rows = page.getByRole('row').filter({ hasText: 'ops' });
    await expect.poll(() => rows.count()).toBe(2);
    await expect.poll(() => rows.filter({ hasText: 'Replaced, works until' }).count()).toBe(1);
    // It's noted once an hour, so the last use may be a second ago.
    await rows.filter({ hasText: 'In the last hour' }).waitFor();
  });
});

describe('the list of emails', () => {
  it('searches on by itself, says how far it is, and stops when it’s told to', async () => {
    const { page, asked, open } = await lab.openTab();
    let allowed = 0;
    let answered = 0;
    await page.route('**/api/v1/sends?**', async (route) => {
      const isFurther = new URL(route.request().url()).searchParams.has('cursor');
      if (isFurther) await vi.waitUntil(() => answered < allowed, patience);
      answered += isFurther ? 1 : 0;
      const json = {
        ...{ data: [], nextCursor: 'more' },
        ...{ lookedUntil: 1_795_897_085_012, looked: 10_000 },
      };
      await route.fulfill({ json });
    });
    await open('/console/emails?status=failed');
    const progress = page.locator('.searching');
    const requests = () => asked.filter((path) => path === '/api/v1/sends').length;

    expect(await progress.innerText()).toMatch(/^0 found in 10,000 emails, back to .*\s+Stop$/);
    allowed = 3;
    await expect.poll(requests).toBe(5);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Search further back' }).waitFor();
    expect(requests()).toBe(5);
    await page.getByRole('button', { name: 'Search further back' }).click();
    await expect.poll(requests).toBe(6);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('ends its search by itself, shows what it found on the way, and goes on after a failure', async () => {
    const { page, open } = await lab.openTab();
    const sends = await Promise.all(
      ['one', 'two'].map(async (name) => {
        await lab.send(`${name}@example.com`);
        const { data } = listSchema.parse(
          await lab.call('GET', `/api/v1/sends?to=${name}@example.com`),
        );
        return data[0];
      }),
    );
    let asked = 0;
    await page.route('**/api/v1/sends?**', async (route) => {
      asked += 1;
      if (asked === 3) {
        await route.fulfill({ status: 500, json: { code: 'internal_error', detail: 'It failed' } });
        return;
      }
      const data = asked === 2 ? [sends[0]] : asked === 4 ? [sends[1]] : [];
      const isLast = asked === 5;
      await route.fulfill({
        json: {
          data,
          nextCursor: isLast ? null : `after ${asked}`,
          lookedUntil: isLast ? null : 1_795_897_085_012,
          looked: 10_000,
        },
      });
    });
    await open('/console/emails?search=example.com');
    await page.getByRole('button', { name: 'Search further back' }).click();

    await page.getByText('searched all emails').waitFor();
    expect(await page.getByRole('row').filter({ hasText: '@example.com' }).count()).toBe(2);
    expect(asked).toBe(5);
    expect(await page.locator('.searching').count()).toBe(0);
  });
});

describe('settings', () => {
  it('show what a program was told, in the names of the API that it called', async () => {
    const { apiKey, baseUrl } = lab.stack.description;
    await fetch(`${baseUrl}/resend/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: 'hello@mail.example.com', to: 'x@example.com', subject: 'Hi' }),
    });
    const { page, open } = await lab.openTab();

    await open('/console/refused');

    const row = page.getByRole('listitem').filter({ hasText: 'POST /resend/emails' });
    await row.getByText('is required').waitFor();
    expect(await row.innerText()).toMatch(/^422 validation_failed[\s\S]*\ntext is required/);
  });

  it('show changes in words: times of the reader’s zone, names for IDs, and no JSON', async () => {
    const { id: templateId } = await madeBy('/api/v1/templates', {
      name: 'Audited',
      subject: 'Hi',
      content: 'Hi',
    });
    const { id } = await madeBy('/api/v1/webhooks', {
      url: `${deadEnd}/audited`,
      templates: [templateId],
    });
    await lab.call('PATCH', `/api/v1/webhooks/${id}`, { enabled: false });
    const { page, open } = await lab.openTab();

    await open('/console/settings/audit');

    const main = page.getByRole('main');
    await expect.poll(() => main.innerText()).toMatch(/Templates\s+After:\s+Audited/);
    await expect.poll(() => main.innerText()).toContain(`${deadEnd}/audited`);
    expect(await main.innerText()).not.toMatch(/(?:whk|key|tpl|org)_|\d{4}-\d\d-\d\dT|\{"/);
  });
});

describe('a visitor', () => {
  it('who isn’t signed in sees the sign-in, and the browser logs no error', async () => {
    const context = await lab.browser.newContext();
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    const visit = () => goPatiently(page, `${lab.stack.description.baseUrl}/console/emails`);

    for (const _visit of [1, 2]) {
      await visit();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    }
    expect(complaints).toEqual([]);

    await signInByKey(page, lab.stack.description.manageKey);
    await page.getByRole('heading', { name: 'Emails' }).waitFor();
    await visit();
    await page.getByRole('heading', { name: 'Emails' }).waitFor();
    await signOut(page);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await visit();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();

    expect(complaints).toEqual([]);
    await context.close();
  });
});
