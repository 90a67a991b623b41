import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '#shared/errors/service-error';
import { docsFilesSchema, showDocs } from '../../functions/show-docs/show-docs.ts';
import { buildFile } from '../../infra/built-files/build-files.ts';
import { listen } from '../../infra/local/server.ts';
import { launchChromium } from '../shared/pages/chromium.ts';
import { openWatchedTab } from '../shared/pages/watched-tab.ts';
import { axeFaults, axeFaultsAt } from '../support/axe-faults.ts';

const requests: string[] = [];

async function openDocs() {
  const docs = docsFilesSchema.parse(JSON.parse(await buildFile('docs.json')));
  const server = createServer((request, answer) => {
    requests.push(request.url ?? '');
    const page = (request.url ?? '').replace(/^\/docs\/?/, '');
    try {
      const accepted = request.headers['accept-encoding'];
      const response = showDocs(
        { path: { page }, headers: { 'accept-encoding': String(accepted) } },
        docs,
      );
      const body = Buffer.from(response.body, response.isBase64Encoded ? 'base64' : 'utf8');
      answer.writeHead(response.statusCode, { ...response.headers }).end(body);
    } catch (error) {
      answer.writeHead(error instanceof ServiceError ? 404 : 500).end();
    }
  });
  const [{ url, stop }, browser] = await Promise.all([listen(server, 0), launchChromium()]);
  const tab = await openWatchedTab(browser, url);
  const close = async () => {
    await browser.close();
    await stop();
  };
  return { url, browser, tab, close };
}

let docs: Awaited<ReturnType<typeof openDocs>>;

beforeAll(async () => {
  docs = await openDocs();
});
afterAll(() => docs?.close());

const searchBox = () => docs.tab.page.getByRole('searchbox', { name: 'Search' });
const pathOf = (url: string) => new URL(url).pathname + new URL(url).hash;

/** Guides have long code, the other two the widest tables and the deepest lists. */
const pages = ['docs', 'docs/verify-webhooks', 'docs/operating', 'docs/api/emails'];

describe('the documents in Chromium', () => {
  it.each(pages)(
    'load /%s without a complaint of the browser, a cookie, or a second request',
    async (page) => {
      requests.length = 0;
      await docs.tab.open(page);
      await docs.tab.page.waitForLoadState('networkidle');

      expect(await docs.tab.complaints()).toEqual([]);
      expect(requests).toEqual([`/${page}`]);
    },
  );

  it.each(pages)('fit /%s into 320, 390, 768 and 1440 pixels', async (page) => {
    await docs.tab.open(page);

    for (const width of [320, 390, 768, 1440]) {
      await docs.tab.page.setViewportSize({ width, height: 640 });
      expect(await docs.tab.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });

  it.each(pages)('have no fault on /%s that axe finds, in light and dark', async (name) => {
    const { page } = docs.tab;
    await docs.tab.open(name);
    // An element half below the bar has a colour that axe can't tell.
    await searchBox().fill('webhook');
    await page
      .getByRole('status')
      .getByText(/results/)
      .waitFor();

    expect(await axeFaultsAt(page, [320, 1440])).toEqual([]);
  });

  it('let who uses a keyboard skip the menu', async () => {
    const { page } = docs.tab;
    await docs.tab.open('docs');

    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);

    expect(await page.evaluate('document.activeElement.id')).toBe('page');
  });

  it('lead from an error of the console to its meaning', async () => {
    await docs.tab.open('docs/restore');
    await docs.tab.open('docs#error-too_large');
    await docs.tab.page.waitForURL('**/docs/api/errors#too_large');

    expect(await docs.tab.page.locator(':target').textContent()).toBe('too_large');
  });
});

describe('the search', () => {
  it.each([320, 1440])('is a matter of keys alone at %i px', async (width) => {
    const { page } = docs.tab;
    await docs.tab.open('docs');
    await page.setViewportSize({ width, height: 640 });

    await page.keyboard.press('Control+k');
    await page.keyboard.type('verify webhooks');
    await page
      .getByRole('status')
      .getByText(/results/)
      .waitFor();
    await page.keyboard.press('ArrowDown');
    const [focused, scrollWidth] = [
      await page.evaluate('document.activeElement.getAttribute("href")'),
      await page.evaluate('document.documentElement.scrollWidth'),
    ];
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/verify-webhooks');

    expect([focused, scrollWidth]).toEqual(['/docs/verify-webhooks', width]);
    expect(await docs.tab.complaints()).toEqual([]);
  });

  it('opens its first result by Enter, goes back to its box by arrow, and ends by Escape', async () => {
    const { page } = docs.tab;
    await docs.tab.open('docs');

    await searchBox().fill('sandbox');
    await page
      .getByRole('status')
      .getByText(/results/)
      .waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp'])
      await page.keyboard.press(key);
    expect(await page.evaluate('document.activeElement.id')).toBe('search');
    await page.keyboard.press('Escape');
    expect(await page.locator('#results').isVisible()).toBe(false);
    await searchBox().fill('sandbox ');
    await page
      .getByRole('status')
      .getByText(/results/)
      .waitFor();
    await page.keyboard.press('Enter');

    await page.waitForURL('**/docs/leave-the-sandbox');
  });

  it('asks for its index once, when it is first used, and says when it finds nothing', async () => {
    // A browser that has nothing of it in its cache.
    const { page, open, complaints } = await openWatchedTab(docs.browser, docs.url);
    const box = page.getByRole('searchbox', { name: 'Search' });
    requests.length = 0;
    await open('docs');

    await box.fill('<svg onload=xyzzy()>');
    await page.getByText('Nothing found for “<svg onload=xyzzy()>”').waitFor();
    await box.fill('restore');
    await page
      .getByRole('link', { name: /^Restore/ })
      .first()
      .waitFor();

    expect(requests).toEqual(['/docs', '/docs/search.json']);
    expect(await complaints()).toEqual([]);
    await page.context().close();
  });
});

describe('an example', () => {
  const shown = () => docs.tab.page.locator('.tabs').first().locator('pre:visible').textContent();

  it('is in one language, which stays chosen on the next page', async () => {
    const { page } = docs.tab;
    await docs.tab.open('docs');
    expect(await shown()).toContain('await fetch(');

    await page.getByText('Python', { exact: true }).first().click();
    expect(await shown()).toContain('import json, os');
    await page.goto(`${docs.url}/docs/api/emails`);

    expect(await shown()).toContain('import json, os');
    await page.evaluate('localStorage.clear()');
  });

  it('changes by the arrows of the keyboard', async () => {
    const { page } = docs.tab;
    await docs.tab.open('docs/api/emails');

    await page.getByRole('radio', { name: 'Node' }).first().focus();
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);

    expect(await shown()).toContain('curl "$BASE');
    expect(await page.getByRole('radio', { name: 'curl' }).nth(1).isChecked()).toBe(true);
    await page.evaluate('localStorage.clear()');
  });
});

/** The words of code blocks that lie under their button. Spaces at a line's end may. */
const coveredWords = `[...document.querySelectorAll('pre')].flatMap((pre) => {
  const button = pre.querySelector('button').getBoundingClientRect();
  const text = pre.querySelector('code').firstChild;
  const place = document.createRange();
  const isCovered = ({ left, right, top, bottom }) =>
    left < button.right && right > button.left && top < button.bottom && bottom > button.top;
  return [...text.data.matchAll(/\\S+/g)].flatMap(({ 0: word, index }) => {
    place.setStart(text, index);
    place.setEnd(text, index + word.length);
    return [...place.getClientRects()].some(isCovered) ? [word] : [];
  });
})`;

/** Single words of code in tables that take two lines. */
const brokenWords = `[...document.querySelectorAll('td code')]
  .filter((code) => /^[\\w.]+$/.test(code.textContent) && code.getClientRects().length > 1)
  .map((code) => code.textContent)`;

it.each(['docs/webhooks', 'docs/operating'])(
  'on a phone, no button of /%s covers code, and no code word of a table is broken',
  async (page) => {
    await docs.tab.open(page);
    await docs.tab.page.setViewportSize({ width: 390, height: 844 });
    await docs.tab.page.getByRole('button', { name: 'Copy' }).first().waitFor();

    expect(await docs.tab.page.evaluate(coveredWords)).toEqual([]);
    expect(await docs.tab.page.evaluate(brokenWords)).toEqual([]);
  },
);

describe('the menu on a phone', () => {
  it('is closed, opens by its button, and leads on', async () => {
    const { page } = docs.tab;
    await docs.tab.open('docs');
    await page.setViewportSize({ width: 390, height: 800 });
    const menu = page.getByRole('navigation', { name: 'Contents' });
    const heading = page.getByRole('heading', { level: 1 });

    expect(await menu.isVisible()).toBe(false);
    expect((await heading.boundingBox())?.y).toBeLessThan(120);
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await menu.isVisible()).toBe(true);
    expect(await axeFaults(page)).toEqual([]);
    await menu.getByRole('link', { name: 'Restore' }).click();
    await page.waitForURL('**/docs/restore');

    expect(await menu.isVisible()).toBe(false);
  });

  it('closes when it leads into the page that is open, and by Escape', async () => {
    const { page } = docs.tab;
    await docs.tab.open('docs/restore');
    await page.setViewportSize({ width: 390, height: 800 });
    const menu = page.getByRole('navigation', { name: 'Contents' });

    await page.getByRole('button', { name: 'Menu' }).click();
    await menu.getByRole('link', { name: 'The whole table' }).click();
    expect(await menu.isVisible()).toBe(false);
    expect(pathOf(page.url())).toBe('/docs/restore#the-whole-table');
    const top = (await page.locator(':target').boundingBox())?.y ?? 0;
    expect(top).toBeGreaterThan(50);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.keyboard.press('Escape');

    expect(await menu.isVisible()).toBe(false);
  });
});

it('reads the same without script: menu and languages work, and no search is shown', async () => {
  const context = await docs.browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 800 },
  });
  const page = await context.newPage();
  await page.goto(`${docs.url}/docs`);

  expect(await page.getByRole('searchbox').isVisible()).toBe(false);
  await page.getByText('Python', { exact: true }).first().click();
  expect(await page.locator('.tabs pre:visible').first().textContent()).toContain('import json');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Move from Resend' }).first().click();

  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Move from Resend');
  await context.close();
});
