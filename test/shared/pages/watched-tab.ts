import type { Browser } from 'playwright-core';

/** A tab that notes what no page may cause: console lines, errors, cookies, requests to elsewhere. */
export async function openWatchedTab(browser: Browser, origin: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`request to ${request.url()}`);
  });
  return {
    page,
    /** Opens a page afresh: no state is left of what the tab showed before. */
    open: async (name: string) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: null });
      complaints.length = 0;
      await page.goto(`${origin}/${name}`);
    },
    complaints: async () => [
      ...complaints,
      ...(await context.cookies()).map(({ name }) => `cookie ${name}`),
    ],
  };
}
