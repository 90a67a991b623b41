import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { axeFaults, axeFaultsAt } from '../support/axe-faults.ts';
import { type ConsoleLab, openConsoleLab, settled, stopPolls } from '../support/console-lab.ts';

const emails = 22;

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
  for (let number = 1; number <= emails; number += 1) await lab.send(`reader${number}@example.com`);
});
afterAll(() => lab?.close());

const rows = (page: Page) => page.locator('tbody tr:not(.group)');
const focused = (page: Page) =>
  page.evaluate('document.activeElement.textContent || document.activeElement.ariaLabel');

async function openList() {
  const tab = await lab.openTab();
  // The newest may take a moment.
  await expect
    .poll(async () => {
      await tab.open('/console/emails');
      return rows(tab.page).count();
    })
    .toBe(20);
  return tab;
}

describe('the list of emails', () => {
  it('shows at least 16 rows of 36 px at 1440 × 900', async () => {
    const { page } = await openList();
    await page.setViewportSize({ width: 1_440, height: 900 });

    const boxes = await Promise.all((await rows(page).all()).map((row) => row.boundingBox()));

    const whole = boxes.filter((box) => box && box.y + box.height <= 900);
    expect(whole.length).toBeGreaterThanOrEqual(16);
    expect(Math.round(boxes[1]?.height ?? 0)).toBe(36);
  });

  it('is walked by arrows, and a row opens with Enter or a double click anywhere on it', async () => {
    const { page } = await openList();
    const names = await page.locator('.row-link').allTextContents();

    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp'])
      await page.keyboard.press(key);
    expect(await focused(page)).toBe(names[1]);
    await page.keyboard.press('End');
    expect(await focused(page)).toBe(names.at(-1));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: names.at(-1) ?? '', level: 1 }).waitFor();

    await page.goBack();
    await settled(page);
    await rows(page).nth(1).dblclick();
    await page.getByRole('heading', { name: names[1] ?? '', level: 1 }).waitFor();
  });

  it('is searched after /, until the settings turn that off', async () => {
    const { page, open } = await openList();
    await page.keyboard.press('/');
    expect(await focused(page)).toBe('Search emails');

    await open('/console/settings');
    await page.getByLabel('goes to the search box of a list').uncheck();
    await open('/console/emails');
    await page.keyboard.press('/');

    expect(await focused(page)).not.toBe('Search emails');
    expect(await page.locator('.box kbd').count()).toBe(0);
  });

  it('shows the exact time of the row under the pointer or focus, until Esc', async () => {
    const { page } = await openList();
    const tip = page.getByRole('tooltip');

    await rows(page).first().locator('time').hover();
    expect(await tip.textContent()).toMatch(/\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    await page.keyboard.press('Escape');
    expect(await tip.count()).toBe(0);
    await page.locator('.row-link').nth(2).focus();
    await tip.waitFor();

    expect(await axeFaults(page)).toEqual([]);
  });

  it('shows new emails by itself, unless it is hidden or paused', async () => {
    const { page, asked, open } = await openList();
    await page.clock.install();
    await open('/console/emails');
    const to = 'newcomer@example.com';
    await lab.send(to);

    await expect
      .poll(async () => {
        await page.clock.fastForward(10_000);
        return rows(page).first().textContent();
      })
      .toContain(to);
    await settled(page);

    await page.evaluate(
      "Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })",
    );
    asked.length = 0;
    await page.clock.fastForward(60_000);
    expect(asked).toEqual([]);
    await page.evaluate(
      "Object.defineProperty(document, 'hidden', { get: () => false, configurable: true })",
    );
    await page.getByRole('button', { name: 'Pause' }).click();
    // It may have asked between the two.
    await settled(page);
    asked.length = 0;
    await page.clock.fastForward(60_000);
    expect(asked).toEqual([]);
  });

  it('is narrowed to an outcome and a time, each in the address', async () => {
    const { page } = await openList();

    await page.getByRole('link', { name: /^Bounced/ }).click();
    await page.getByText(/No email matches|No match so far/).waitFor();
    await page.getByRole('link', { name: /^Hard bounce/ }).click();
    await page.getByRole('link', { name: '7 d' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?outcome=bounced&period=7d');
    await page.getByRole('button', { name: 'Range…' }).click();
    await page.getByRole('dialog').getByLabel('From').fill('2026-01-01T00:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Show' }).click();

    await expect.poll(() => new URL(page.url()).searchParams.has('from')).toBe(true);
    expect(new URL(page.url()).searchParams.has('period')).toBe(false);
  });

  it('shows whole why an email isn’t with its recipient, however long its subject is', async () => {
    const email = 'blocked@example.com';
    await lab.call('POST', '/api/v1/suppressions', { email });
    await lab.send(email, { subject: 'The minutes of our meeting '.repeat(9) });
    const { page, open } = await lab.openTab();
    await page.setViewportSize({ width: 1_280, height: 900 });
    const why = page.locator('.because', { hasText: 'Your team suppressed the address' });
    await expect
      .poll(async () => {
        await open('/console/emails');
        return why.count();
      })
      .toBe(1);

    const cell = await page.locator('td', { has: why }).boundingBox();
    const box = await why.boundingBox();

    expect(await why.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(
      (cell?.x ?? 0) + (cell?.width ?? 0),
    );
  });
});

const storySchema = z.object({
  send: z.object({ _id: z.string(), feedbackId: z.string() }),
  messages: z.array(z.object({ providerMessageId: z.string() })).min(1),
});

describe('the search box', () => {
  const subject = 'Your trial of Näh & Garn ends';
  const idempotencyKey = 'trial-ends-4711';
  const search = async (page: Page, text: string) => {
    await page.getByLabel('Search emails').fill(text);
    await page.keyboard.press('Enter');
  };

  it('opens the email whose id, message or key is pasted, and goes back to the list', async () => {
    const { sendId } = await lab.send('uma@example.com', { subject, idempotencyKey });
    const story = await lab.call('GET', `/api/v1/sends/${sendId}`);
    const { send, messages } = storySchema.parse(story);
    const { page } = await openList();

    for (const name of [
      send._id,
      send.feedbackId,
      messages[0]?.providerMessageId ?? '',
      idempotencyKey,
    ]) {
      await search(page, name);
      await page.getByRole('heading', { name: subject, level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/console/emails/${sendId}`);
      await page.goBack();
      await page.getByRole('heading', { name: 'Emails', level: 1 }).waitFor();
      await settled(page);
    }
  });

  it('finds part of an address or a subject, says how far it looked, and is left by an arrow', async () => {
    await lab.send('uma@example.com', { subject });
    const { page, asked, open } = await openList();

    for (const text of ['UMA@EX', 'näh & g']) {
      await search(page, text);
      await page.getByText('searched all emails').waitFor();
      expect(await rows(page).first().textContent()).toContain('uma@example.com');
    }
    await page.getByLabel('Search emails').press('ArrowDown');
    expect(await focused(page)).toBe(subject);
    await page.getByLabel('Search emails').press('Escape');
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await search(page, 'no such thing');
    await page.getByRole('heading', { name: 'No email matches' }).waitFor();
    await page.getByRole('link', { name: 'test emails', exact: true }).waitFor();
    expect(await axeFaults(page)).toEqual([]);

    await open('/console/emails?search=uma');
    expect(asked).toEqual(['/api/v1/sends']);
    await page.getByLabel('Search emails').fill('');
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it('searches for what was typed before an arrow enters the list, and keeps the focus', async () => {
    await lab.send('wim@example.com', { subject: 'Your receipt' });
    const { page } = await openList();

    await page.keyboard.press('/');
    // Too few letters to be searched for as one types.
    await page.keyboard.type('wi');
    await page.keyboard.press('ArrowDown');
    await page.getByText('searched all emails').waitFor();
    expect(await focused(page)).toBe('Search emails');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('Your receipt');
    await page.goBack();

    await expect.poll(() => page.getByLabel('Search emails').inputValue()).toBe('');
  });

  it('says that an ID must be complete', async () => {
    const { sendId } = await lab.send('xaver@example.com');
    const { page } = await openList();

    await search(page, sendId.slice(0, -4));

    await page.getByText('An ID must be complete: copy all of it.').waitFor();
    expect(await focused(page)).toBe('Search emails');
  });

  it('takes a whole address by its index, and offers to look for its beginning', async () => {
    await lab.send('vera@mail.example', { subject });
    const { page } = await openList();

    await search(page, 'vera@mail.exam');
    await page.getByRole('link', { name: 'Search for vera@' }).click();

    await expect.poll(() => rows(page).first().textContent()).toContain('vera@mail.example');
    expect(new URL(page.url()).search).toBe('?search=vera%40');
  });

  it('takes templates and keys by their names', async () => {
    const { page } = await openList();

    await search(page, 'key:nobody’s');
    await expect.poll(() => new URL(page.url()).searchParams.has('search')).toBe(true);
    await settled(page);
    await search(page, 'key:manage');

    await expect.poll(() => new URL(page.url()).searchParams.get('key')).toMatch(/^key_/);
  });
});

describe('a search as one types', () => {
  /** Time stands still until the test lets it go on. */
  async function openFrozen() {
    const tab = await lab.openTab();
    await tab.page.clock.install();
    await tab.open('/console/emails');
    await tab.page.clock.pauseAt(Date.now() + 60_000);
    await settled(tab.page);
    tab.asked.length = 0;
    return tab;
  }

  it('begins with three letters, 250 ms after the last one', async () => {
    const { page, asked } = await openFrozen();
    const box = page.getByLabel('Search emails');
    await box.pressSequentially('ne');
    await page.clock.runFor(1_000);
    expect(new URL(page.url()).search).toBe('');

    await box.pressSequentially('w');
    await page.clock.runFor(249);
    expect(new URL(page.url()).search).toBe('');
    asked.length = 0;
    await page.clock.runFor(1);
    expect(new URL(page.url()).search).toBe('?search=new');
    await page.clock.resume();

    await expect.poll(() => asked).toEqual(['/api/v1/sends']);
    expect(await focused(page)).toBe('Search emails');
  });

  it('leaves what is typed on, gives the earlier request up, and is one step back', async () => {
    const { page } = await openFrozen();
    const box = page.getByLabel('Search emails');
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(/search=new(&|$)/, async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    const givenUp = page.waitForEvent('requestfailed', (request) => /=new$/.test(request.url()));
    const asks = page.waitForRequest(/search=new$/);
    await box.pressSequentially('new');
    await page.clock.runFor(500);
    await asks;

    await box.pressSequentially('s for');
    await page.clock.runFor(500);
    await givenUp;
    letGo();
    await page.clock.resume();

    await expect.poll(() => new URL(page.url()).search).toBe('?search=news+for');
    expect(await box.inputValue()).toBe('news for');
    await page.goBack();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await expect.poll(() => box.inputValue()).toBe('');
  });

  it('doesn’t open the email that a half typed text happens to name; Enter does', async () => {
    const idempotencyKey = 'order-10';
    await lab.send('order@example.com', { subject: 'Your order', idempotencyKey });
    const { page } = await openFrozen();
    await page.getByLabel('Search emails').pressSequentially(idempotencyKey);
    await page.clock.runFor(250);
    await page.clock.resume();
    await page.getByRole('link', { name: 'Your order' }).waitFor();

    expect(new URL(page.url()).pathname).toBe('/console/emails');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Your order', level: 1 }).waitFor();
  });
});

describe('the filters', () => {
  it('wait in a panel, are tokens in the box once they are chosen, and Backspace removes the last', async () => {
    const { page } = await openList();
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Mode').selectOption('Test emails');
    await page.getByRole('button', { name: 'Remove only test emails' }).waitFor();
    await page.getByLabel('API key').focus();
    await page.getByLabel('API key').selectOption('send');
    await page.getByRole('button', { name: 'Remove key send' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);

    await page.getByLabel('Search emails').press('Backspace');
    await expect.poll(() => new URL(page.url()).searchParams.get('test')).toBe(null);
    await page.getByRole('button', { name: 'Remove key send' }).click();

    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it('count the found emails by outcome, if the search has found all', async () => {
    await lab.send('complaint+chips@simulator.amazonses.com', { subject: 'Chips to count' });
    await lab.send('ann@example.com', { subject: 'Chips to count' });
    const { page, open } = await lab.openTab();
    const texts = () => page.locator('.chip').allTextContents();

    await expect
      .poll(async () => {
        await open('/console/emails?search=chips+to+count');
        return texts();
      })
      .toEqual(expect.arrayContaining(['All2', 'Delivered1', 'Complained1', 'Bounced0']));
  });
});

describe('the chosen email', () => {
  const peek = (page: Page) => page.getByRole('complementary', { name: 'The chosen email' });

  async function openWide() {
    const tab = await openList();
    await tab.page.setViewportSize({ width: 1_440, height: 900 });
    // It's loaded ahead.
    await tab.page.waitForLoadState('networkidle');
    return tab;
  }

  it('is beside the list, follows J, K and the arrows, and Enter opens it', async () => {
    const { page } = await openWide();
    const names = await page.locator('.row-link > .foreign').allTextContents();

    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await peek(page).getByText('2 of 20').waitFor();
    await peek(page)
      .getByText(names[1] ?? '')
      .waitFor();
    expect(await axeFaultsAt(page, [1_440])).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('k');
    await peek(page).getByText('2 of 20').waitFor();
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: names[1] ?? '', level: 1 }).waitFor();
  });

  it('is hidden by Esc until Space or a click asks for one, and a second click opens it', async () => {
    const { page } = await openWide();
    const names = await page.locator('.row-link > .foreign').allTextContents();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await peek(page).waitFor();

    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    expect(await peek(page).count()).toBe(0);
    await page.keyboard.press('Space');
    await peek(page).getByText('3 of 20').waitFor();
    await page.keyboard.press('Space');
    await peek(page).waitFor({ state: 'detached' });
    await rows(page).nth(4).click();
    await peek(page).getByText('5 of 20').waitFor();
    await rows(page).nth(4).click();

    await page.getByRole('heading', { name: names[4] ?? '', level: 1 }).waitFor();
  });

  it('opens with a double click where it shows up in between', async () => {
    const { page } = await openWide();
    const name = (await page.locator('.row-link > .foreign').nth(4).textContent()) ?? '';
    const { x = 0, y = 0, width = 0 } = (await rows(page).nth(4).boundingBox()) ?? {};

    // The second click meets something else, which a locator wouldn't allow.
    await page.mouse.dblclick(x + width - 8, y + 18);

    await page.getByRole('heading', { name, level: 1 }).waitFor();
  });

  it('has no room on a narrower screen, where a click opens its page', async () => {
    const { page } = await openList();
    await page.setViewportSize({ width: 1_024, height: 800 });
    const name = (await page.locator('.row-link > .foreign').nth(1).textContent()) ?? '';
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    expect(await peek(page).count()).toBe(0);

    await rows(page).nth(1).click();

    await page.getByRole('heading', { name, level: 1 }).waitFor();
  });
});

describe('a form in a dialog', () => {
  it('is closed by Esc and gives the focus back, and says beside a field what is wrong with it', async () => {
    const { page, open } = await lab.openTab();
    await open('/console/domains');
    const button = page.getByRole('button', { name: 'Add domain' });
    const dialog = page.getByRole('dialog');
    await button.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    // Hidden first, then gone: only then does the button open another one.
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Add domain');

    await page.keyboard.press('Enter');
    await dialog.getByLabel('Domain', { exact: true }).fill('not a domain');
    await page.keyboard.press('Enter');
    const field = dialog.getByRole('textbox', { name: 'Domain', exact: true });
    await dialog.getByText('Must be a domain such as mail.example.com.').waitFor();

    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('domain');
    expect(await axeFaults(page)).toEqual([]);
  });

  it('stays open while it saves, however often Esc is pressed, and shows what went wrong', async () => {
    const { page, open } = await lab.openTab();
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/api/v1/domains', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await held;
      return route.fulfill({ status: 503, json: { detail: 'Try again in a minute.' } });
    });
    await open('/console/domains');
    await page.getByRole('button', { name: 'Add domain' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Domain', { exact: true }).fill('busy.example.com');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Working…' }).waitFor();

    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape');
    letGo();

    await dialog.getByText('Try again in a minute.').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  });
});

describe('a field', () => {
  it('that is empty or half typed says so in place of its hint, and nothing is sent', async () => {
    const { page, open, asked, complaints } = await lab.openTab();
    await open('/console/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog');
    const name = form.getByRole('textbox', { name: 'Name' });
    const before = asked.length;
    await form.getByLabel('Expires').pressSequentially('01');

    await page.keyboard.press('Enter');
    await form.getByText('Fill this in.').waitFor();
    await form.getByText('Must be a whole date and time.').waitFor();

    expect(await form.getByText('What uses it').count()).toBe(0);
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
    expect([asked.length, complaints]).toEqual([before, []]);
    expect(await axeFaults(page)).toEqual([]);
    await name.fill('billing');
    await page.keyboard.press('Enter');
    await form.getByText('Fill this in.').waitFor({ state: 'detached' });
  });

  it('with a year of five digits says so, instead of making a key that never expires', async () => {
    const { page, open, asked } = await lab.openTab();
    await open('/console/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'Name' }).fill('billing');
    await form.getByLabel('Expires').fill('20266-12-31T00:00');
    const before = asked.length;

    await page.keyboard.press('Enter');

    await form.getByText('Must have a year of four digits.').waitFor();
    expect(asked.length).toBe(before);
  });
});

describe('an email', () => {
  it('names the key that sent it, and leads to what else it sent', async () => {
    const { page } = await openList();
    await page.locator('.row-link').first().dblclick();
    const links = page.getByRole('link', { name: 'send', exact: true });
    await expect.poll(() => links.count()).toBe(3);
    // Somebody who comes back gets a fresh answer, and with it another list of names.
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await page.getByRole('link', { name: 'Add an endpoint' }).waitFor();

    await links.first().click();

    await expect.poll(() => new URL(page.url()).searchParams.get('key')).toMatch(/^key_/);
  });

  it('offers an endpoint only until the organization has one', async () => {
    const { page } = await openList();
    await page.locator('.row-link').first().dblclick();
    const offer = page.getByRole('link', { name: 'Add an endpoint' });
    await offer.waitFor();
    await lab.call('POST', '/api/v1/webhooks', { url: 'http://127.0.0.1:9/hook' });

    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');

    await offer.waitFor({ state: 'detached' });
    await page.getByText('No endpoint was notified.').waitFor();
  });
});

describe('an email that webhooks were notified of', () => {
  it('names its key and its endpoints at once, with one request for the endpoints', async () => {
    const url = 'http://127.0.0.1:9/names';
    await lab.call('POST', '/api/v1/webhooks', { url });
    const { sendId } = await lab.send('notified@example.com');
    const { page, open, asked } = await lab.openTab();
    await stopPolls(page);
    const rows = page.locator('.card', { hasText: 'Webhooks' }).getByRole('listitem');
    await expect
      .poll(async () => {
        await open(`/console/emails/${sendId}`);
        return rows.count();
      })
      .toBeGreaterThan(0);

    const links = page.getByRole('link', { name: 'send', exact: true });
    await expect.poll(() => links.count()).toBe(3);
    await rows.filter({ hasText: url }).first().waitFor();
    expect(asked.toSorted()).toEqual([
      '/api/v1/api-keys',
      '/api/v1/sends',
      `/api/v1/sends/${sendId}`,
      '/api/v1/webhooks',
    ]);
    await open('/console');
    await page.getByRole('link', { name: 'Emails', exact: true }).click();
    await page.getByRole('link', { name: 'News for notified@example.com' }).dblclick();

    await expect.poll(() => links.count()).toBe(3);
    await rows.filter({ hasText: url }).first().waitFor();
  });
});

describe('on a phone', () => {
  it('the chosen outcome is in view', async () => {
    const { page, open } = await lab.openTab();
    await page.setViewportSize({ width: 320, height: 700 });
    await open('/console/emails?outcome=scheduled');

    const chip = await page.locator('.chip[aria-current]').boundingBox();

    expect((chip?.x ?? 320) + (chip?.width ?? 0)).toBeLessThanOrEqual(320);
  });

  it('a touch of a time says it exactly, and a touch of the rest of a row opens its email', async () => {
    const { page, open } = await lab.openTab(undefined, { hasTouch: true });
    await page.setViewportSize({ width: 390, height: 844 });
    await open('/console/emails');
    const first = rows(page).first();
    const name = (await first.locator('.row-link').textContent()) ?? '';
    expect(await page.locator('kbd:visible').count()).toBe(0);

    await first.locator('time').tap();
    expect(await page.getByRole('tooltip').textContent()).toMatch(/\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    await first.locator('td.strong').tap({ force: true });
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.locator('.timeline time').first().tap();

    expect(await page.getByRole('tooltip').textContent()).toMatch(/\.\d{3}Z$/);
  });

  it.each([320, 390])(
    '%i px wide, filters wait behind a button that counts them',
    async (width) => {
      const { page, open } = await lab.openTab();
      await page.setViewportSize({ width, height: 700 });
      await open('/console/emails');
      const button = page.getByRole('button', { name: 'Filter' });
      const template = page.getByLabel('Template');
      const top = (await rows(page).first().boundingBox())?.y ?? 700;
      expect([await template.isVisible(), top < 300]).toEqual([false, true]);

      await button.click();
      await template.waitFor();
      expect(await axeFaults(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.getByRole('link', { name: '7 d', exact: true }).click();

      await page.getByRole('button', { name: 'Filter (1)', expanded: true }).waitFor();
    },
  );

  it('the navigation is behind a button, which Esc and every link close', async () => {
    const { page, open } = await lab.openTab();
    await page.setViewportSize({ width: 390, height: 844 });
    await open('/console/contacts');
    const menu = page.getByRole('button', { name: 'Menu' });
    const link = page.getByRole('link', { name: 'Suppressions', exact: true });
    expect(await link.isVisible()).toBe(false);

    await menu.click();
    await link.waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await link.isVisible()).toBe(false);
    await menu.click();
    await link.click();
    await page.getByRole('heading', { name: 'Suppressions', level: 1 }).waitFor();

    expect(await link.isVisible()).toBe(false);
  });
});
