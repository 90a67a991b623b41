import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPageLab } from '../shared/pages/page-lab.ts';

let lab: Awaited<ReturnType<typeof openPageLab>>;

beforeAll(async () => {
  lab = await openPageLab();
});
afterAll(() => lab?.close());

describe('to a screen reader', () => {
  it('the preferences are a status, a named group of boxes, and two buttons', async () => {
    await lab.tab.open('preferences-saved');

    const tree = await lab.tab.page.locator('body').ariaSnapshot();

    expect(tree).toBe(`- banner: Northwind Coffee
- main:
  - heading "Email preferences" [level=1]
  - status: Your choices are saved.
  - paragraph: Choose what Northwind Coffee sends to a***@example.com.
  - group "Send me":
    - text: Send me
    - checkbox "Product news" [checked]
    - text: Product news
    - checkbox "Tips and guides"
    - text: Tips and guides
    - checkbox "Offers and discounts"
    - text: Offers and discounts
  - button "Save"
  - separator
  - button "Unsubscribe from everything"
  - paragraph: You may still get emails about things you do, such as receipts or password resets.`);
  });

  it('the unsubscribe page is a question, what it means, a button and a link', async () => {
    await lab.tab.open('unsubscribe-confirm');

    const tree = await lab.tab.page.locator('body').ariaSnapshot();

    expect(tree).toBe(`- banner: Northwind Coffee
- main:
  - heading "Unsubscribe?" [level=1]
  - paragraph: Northwind Coffee will stop sending newsletters and offers to a***@example.com.
  - button "Unsubscribe"
  - link "Choose which emails to get instead":
    - /url: /preferences?token=token-2
  - paragraph: You may still get emails about things you do, such as receipts or password resets.`);
  });
});

describe('by keyboard alone', () => {
  it('walks the preferences from top to bottom, with a visible focus', async () => {
    const { page } = lab.tab;
    await lab.tab.open('preferences');
    const walked: unknown[] = [];

    for (let step = 0; step < 5; step += 1) {
      await page.keyboard.press('Tab');
      walked.push(
        await page.evaluate('document.activeElement.value || document.activeElement.textContent'),
      );
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')).toBe(
        '3px',
      );
    }

    expect(walked).toEqual(['news', 'tips', 'offers', 'Save', 'true']);
  });

  it('saves with Enter what Space has ticked', async () => {
    await lab.tab.open('preferences');

    for (const key of ['Tab', 'Space', 'Tab', 'Space', 'Enter'])
      await lab.tab.page.keyboard.press(key);
    await lab.tab.page.getByRole('status').waitFor();

    expect(lab.server.requests.at(-1)).toEqual({
      method: 'POST',
      url: '/preferences',
      body: 'token=token-1&shown=news&shown=tips&category=tips&shown=offers',
    });
  });

  it('ends everything with the second button', async () => {
    await lab.tab.open('preferences');

    for (let step = 0; step < 5; step += 1) await lab.tab.page.keyboard.press('Tab');
    await lab.tab.page.keyboard.press('Enter');
    await lab.tab.page.getByRole('status').waitFor();

    expect(lab.server.requests.at(-1)?.body).toMatch(/&unsubscribeAll=true$/);
  });

  it('confirms an unsubscribe with Tab and Enter', async () => {
    await lab.tab.open('unsubscribe-confirm');

    for (const key of ['Tab', 'Enter']) await lab.tab.page.keyboard.press(key);
    await lab.tab.page.getByRole('status').waitFor();

    expect(lab.server.requests.at(-1)).toMatchObject({
      method: 'POST',
      url: '/api/unsubscribe?token=token-1',
    });
    expect(await lab.tab.complaints()).toEqual([]);
  });
});
