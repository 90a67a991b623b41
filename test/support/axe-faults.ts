import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * What axe finds on a page: each rule, and the first element that breaks it. What a frame shows is not looked at.
 *
 * @param rules `colours`: of the colours alone, which are all that a colour scheme changes.
 */
export async function axeFaults(page: Page, rules?: 'colours'): Promise<unknown> {
  await page.evaluate(axe.source);
  const options = {
    iframes: false,
    ...(rules && { runOnly: ['color-contrast', 'link-in-text-block'] }),
  };
  return page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
  );
}
