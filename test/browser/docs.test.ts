import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtFileOf, pageFileResponse } from '#shared/http/built-file';
import { buildFile } from '../../infra/built-files/build-files.ts';
import { listen } from '../../infra/local/server.ts';
import { launchChromium } from '../shared/pages/chromium.ts';
import { openWatchedTab } from '../shared/pages/watched-tab.ts';
import { axeFaults } from '../support/axe-faults.ts';

const requests: string[] = [];

async function openDocs() {
  const response = pageFileResponse(builtFileOf(await buildFile('docs.html')), {});
  const server = createServer((request, answer) => {
    requests.push(request.url ?? '');
    answer.writeHead(response.statusCode, { ...response.headers }).end(response.body);
  });
  const [{ url, stop }, browser] = await Promise.all([listen(server, 0), launchChromium()]);
  const tab = await openWatchedTab(browser, url);
  const close = async () => {
    await browser.close();
    await stop();
  };
  return { tab, close };
}

let docs: Awaited<ReturnType<typeof openDocs>>;

beforeAll(async () => {
  docs = await openDocs();
});
afterAll(() => docs?.close());

describe('the reference in Chromium', () => {
  it('loads without a complaint of the browser, a cookie, or a second request', async () => {
    await docs.tab.open('docs');
    await docs.tab.page.waitForLoadState('networkidle');

    expect(await docs.tab.complaints()).toEqual([]);
    expect(requests).toEqual(['/docs']);
  });

  it.each([320, 360, 768, 1280])('fits into %i pixels', async (width) => {
    await docs.tab.open('docs');

    await docs.tab.page.setViewportSize({ width, height: 640 });

    expect(await docs.tab.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });

  it.each([
    { colorScheme: 'light', width: 320 },
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 320 },
    { colorScheme: 'dark', width: 1280 },
  ] as const)(
    'has no fault that axe finds, $colorScheme at $width px',
    async ({ colorScheme, width }) => {
      const { page } = docs.tab;
      await docs.tab.open('docs');
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(
        'document.querySelectorAll("details").forEach((one) => { one.open = true })',
      );

      const faults = await axeFaults(page, colorScheme === 'dark' ? 'colours' : undefined);

      expect(faults).toEqual([]);
    },
  );

  it('leads from its contents to each endpoint', async () => {
    const { page } = docs.tab;
    await docs.tab.open('docs');
    await page.setViewportSize({ width: 320, height: 640 });

    await page.getByText('Webhooks', { exact: true }).first().click();
    await page.getByRole('link', { name: 'Register a webhook endpoint' }).click();

    expect(new URL(page.url()).hash).toBe('#createWebhook');
    const heading = page.getByRole('heading', { name: 'Register a webhook endpoint' });
    expect((await heading.boundingBox())?.y).toBeLessThan(100);
  });

  it('lets who uses a keyboard skip the contents', async () => {
    const { page } = docs.tab;
    await docs.tab.open('docs');

    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);

    expect(await page.evaluate('document.activeElement.id')).toBe('reference');
  });
});
