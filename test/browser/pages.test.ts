import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPageLab } from '../shared/pages/page-lab.ts';
import { pageSamples } from '../shared/pages/page-samples.ts';
import { textContrasts } from '../shared/pages/text-contrast.ts';

let lab: Awaited<ReturnType<typeof openPageLab>>;

beforeAll(async () => {
  lab = await openPageLab();
});
afterAll(() => lab?.close());

describe.each(Object.keys(pageSamples))('page %s in Chromium', (name) => {
  let before = 0;

  beforeAll(async () => {
    before = lab.server.requests.length;
    await lab.tab.open(name);
    await lab.tab.page.waitForLoadState('networkidle');
  });

  it('loads without a complaint of the browser, a cookie, or a second request', async () => {
    expect(await lab.tab.complaints()).toEqual([]);
    expect(lab.server.requests.slice(before).map(({ url }) => url)).toEqual([`/${name}`]);
  });

  it('fits into phones and desktops without sideways scrolling', async () => {
    for (const width of [320, 360, 1280]) {
      await lab.tab.page.setViewportSize({ width, height: 640 });
      expect(await lab.tab.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });

  it('has readable text in both colour schemes, under the pointer too', async () => {
    const places = await lab.tab.page.locator('h1, label, button, a').all();

    for (const colorScheme of ['light', 'dark'] as const) {
      await lab.tab.page.emulateMedia({ colorScheme });
      for (const place of places) {
        await place.hover();
        const contrasts = await textContrasts(lab.tab.page);
        expect(contrasts.length).toBeGreaterThan(1);
        expect(contrasts.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
      }
    }
  });

  it('has touch targets of 44 px and more', async () => {
    await lab.tab.page.setViewportSize({ width: 360, height: 640 });
    const targets = await lab.tab.page.locator('label, button, a').all();

    const boxes = await Promise.all(targets.map((target) => target.boundingBox()));

    expect(boxes.filter((box) => box === null || box.height < 44)).toEqual([]);
  });
});

describe('Content-Security-Policy', () => {
  const headingSize = 'getComputedStyle(document.querySelector("h1")).fontSize';

  it('lets the page’s own style apply, no other, and no script', async () => {
    await lab.tab.open('preferences');

    await lab.tab.page.evaluate(`
      document.body.insertAdjacentHTML('beforeend', '<style>h1 { font-size: 9px }</style>');
      document.body.append(Object.assign(document.createElement('script'), { text: 'ran = true' }));
    `);

    expect(await lab.tab.page.evaluate(headingSize)).toBe('26px');
    expect(await lab.tab.page.evaluate('typeof ran')).toBe('undefined');
    expect(await lab.tab.complaints()).toEqual([
      expect.stringContaining('style-src'),
      expect.stringContaining('script-src'),
    ]);
  });
});
