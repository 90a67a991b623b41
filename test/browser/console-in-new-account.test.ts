import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { busyWords } from '../../functions/show-console/app/shared/again.ts';
import { type ConsoleLab, openConsoleLab } from '../support/console-lab.ts';

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

/** Of somebody new, whose browser has nothing in its cache. */
async function openPage(): Promise<Page> {
  const context = await lab.browser.newContext();
  onTestFinished(() => context.close());
  return context.newPage();
}

/** API Gateway refuses the first requests for an address. */
async function refuse(
  page: Page,
  address: RegExp,
  { status, times, method = 'GET' }: { status: 429 | 503; times: number; method?: string },
) {
  const message = status === 429 ? 'Too Many Requests' : 'Service Unavailable';
  const requests = { count: 0 };
  await page.route(address, async (route: Route) => {
    if (route.request().method() !== method) return route.fallback();
    requests.count += 1;
    if (requests.count > times) return route.fallback();
    return route.fulfill({ status, json: { message } });
  });
  return requests;
}

const consoleUrl = () => `${lab.stack.description.baseUrl}/console`;
const signInTitle = (page: Page) => page.getByRole('heading', { name: 'Sign in', level: 1 });

describe('the console in a new account', () => {
  it('comes for everyone of six who open it at once, more than the burst of its route lets in', async () => {
    const pages = await Promise.all(Array.from({ length: 6 }, openPage));

    await Promise.all(pages.map((page) => page.goto(consoleUrl())));

    await Promise.all(pages.map((page) => signInTitle(page).waitFor()));
  });

  it.each([
    ['script', /chunk-\w+\.js/, 429],
    ['script', /chunk-\w+\.js/, 503],
    ['style sheet', /style-\w+\.css/, 429],
  ] as const)(
    'says that it’s busy while its %s is refused (%s, %s), and then comes',
    async (_, file, status) => {
      const page = await openPage();
      const asked = await refuse(page, file, { status, times: 4 });

      await page.goto(consoleUrl());
      await page.getByText(busyWords).waitFor();
      await signInTitle(page).waitFor();

      expect(asked.count).toBeGreaterThan(4);
      expect(await page.evaluate('getComputedStyle(document.body).margin')).toBe('0px');
      expect(await page.evaluate("performance.getEntriesByType('navigation').length")).toBe(1);
    },
  );

  it('offers to reload when a file of it isn’t there any more', async () => {
    const page = await openPage();
    await page.route(/chunk-\w+\.js/, (route) => route.fulfill({ status: 404 }));

    await page.goto(consoleUrl());

    await page.getByText('The console has been updated.').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await signInTitle(page).waitFor();
  });

  it('opens a page whose file was refused at first', async () => {
    const { page, open } = await lab.openTab();
    await open('/console');
    const asked = await refuse(page, /pages-\w+\.js/, { status: 429, times: 3 });

    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByText(busyWords).waitFor();

    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    expect(asked.count).toBeGreaterThan(3);
  });

  it('shows what the API refused at first, and saves what it refused at first', async () => {
    const { page, open } = await lab.openTab();
    const reads = await refuse(page, /\/api\/v1\/policies/, { status: 503, times: 3 });
    await open('/console/settings');
    await page.unrouteAll();
    const changes = await refuse(page, /\/api\/v1\/organization$/, {
      status: 429,
      times: 3,
      method: 'PATCH',
    });

    await page.getByLabel('Organization name').fill('Example Ltd of a new account');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved').first().waitFor();

    expect(reads.count).toBeGreaterThan(3);
    expect(changes.count).toBeGreaterThan(3);
    const stored = await lab.call('GET', '/api/v1/organization');
    expect(stored).toMatchObject({ name: 'Example Ltd of a new account' });
  });
});
