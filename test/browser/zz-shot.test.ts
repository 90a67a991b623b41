import { afterAll, beforeAll, it } from 'vitest';
import { endpoint as overviewReference } from '../../functions/get-overview/get-overview.ts';
import { type ConsoleLab, openConsoleLab } from '../support/console-lab.ts';
import { buildMetrics } from '../support/metrics-builder.ts';
let lab: ConsoleLab;
beforeAll(async () => { lab = await openConsoleLab(); });
afterAll(() => lab?.close());
const { example } = overviewReference.answers[200];
it('shoots', async () => {
  const overview = { ...example, organization: { paused: false, tenant: null, dailyLimit: { recipients: 50_000, setBy: 'ses' } }, setup: { ...example.setup, isFinished: true } };
  for (const scheme of ['light', 'dark'] as const) for (const width of [1440, 390]) {
    const { page, open } = await lab.openTab(undefined, { colorScheme: scheme, viewport: { width, height: 900 } });
    await page.route(/api\/v1\/metrics/, (route) => route.fulfill({ json: buildMetrics({ peak: 914 }) }));
    await page.route(/api\/v1\/overview/, (route) => route.fulfill({ json: overview }));
    await open('/console');
    await page.getByRole('heading', { name: 'Emails by day' }).waitFor();
    if (width === 1440) await page.locator('.cursor a').nth(26).hover();
    await page.screenshot({ path: `/tmp/shot-overview-${scheme}-${width}.png`, fullPage: true });
    await page.unrouteAll();
    if (process.env['USAGE']) {
      await open('/console/usage');
      await page.getByRole('heading', { name: 'Usage' }).waitFor();
      await page.waitForTimeout(800);
      await page.screenshot({ path: `/tmp/shot-usage-${scheme}-${width}.png`, fullPage: true });
    }
  }
});
