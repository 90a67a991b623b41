import { launchChromium } from './chromium.ts';
import { startPageServer } from './page-server.ts';
import { openWatchedTab } from './watched-tab.ts';

/** A browser tab beside the server of the samples. */
export async function openPageLab() {
  const browser = await launchChromium();
  const server = await startPageServer();
  return {
    server,
    tab: await openWatchedTab(browser, server.origin),
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}
