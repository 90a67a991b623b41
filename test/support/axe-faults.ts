import axe from 'axe-core';
import type { Page } from 'playwright-core';
import * as z from 'zod';

const faultsSchema = z.array(z.unknown());

/**
 * What axe finds on a page: each rule, and the first element that breaks it. What a frame shows is not looked at.
 *
 * @param rules `colours`: of the colours alone, which are all that a colour scheme changes.
 */
export async function axeFaults(page: Page, rules?: 'colours'): Promise<unknown[]> {
  await page.evaluate(axe.source);
  const options = {
    iframes: false,
    ...(rules && { runOnly: ['color-contrast', 'link-in-text-block'] }),
  };
  const faults = await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
  );
  return faultsSchema.parse(faults);
}

/** The same at each of these widths, in light and in dark. */
export async function axeFaultsAt(page: Page, widths: readonly number[]): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await axeFaults(page, colorScheme === 'dark' ? 'colours' : undefined);
      faults.push(...found.map((fault) => ({ width, colorScheme, fault })));
    }
  }
  return faults;
}
