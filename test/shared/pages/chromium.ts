import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { patience } from '../../support/patience.ts';
import { delay, maxLatencyMs } from './late-answers.ts';

/** Without windows, its tabs take two thirds of the CPU time. */
const shell = '/usr/bin/chromium-headless-shell';

/** The machine's Chromium; `CHROMIUM_PATH` names another one. Its pages have as long as a test has. */
export async function launchChromium(): Promise<Browser> {
  const own = existsSync(shell) ? shell : '/usr/bin/chromium';
  const chromiumPath = process.env['CHROMIUM_PATH'] ?? own;
  if (!existsSync(chromiumPath)) {
    throw new Error(
      `No Chromium at ${chromiumPath}. Install it with "apt-get update && apt-get install -y chromium-headless-shell", or set CHROMIUM_PATH.`,
    );
  }
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  args.push('--disable-component-update', '--disable-sync', '--no-first-run');
  const { timeout } = patience;
  const executablePath = join(import.meta.dirname, 'chromium.sh');
  const env = { ...process.env, CHROMIUM_PATH: chromiumPath };
  const browser = await chromium.launch({ executablePath, env, args, timeout });
  return browser.on('context', async (context) => {
    context.setDefaultTimeout(timeout);
    if (maxLatencyMs === 0) return;
    // A page may be gone before its answer. If it isn't, it waits in vain, and its test fails.
    await context.route(/\/(api|console|docs)\b/, (route) => delay(route).catch(() => {}));
  });
}
