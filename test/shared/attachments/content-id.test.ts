import { describe, expect, it } from 'vitest';
import { shownIn } from '#shared/attachments/content-id';

describe('HTML', () => {
  it.each([
    ['in quotes', 'logo', '<img src="cid:logo">'],
    ['without quotes', 'logo', '<img src=cid:logo>'],
    ['in a style', 'logo', '<p style="background: url(&quot;cid:logo&quot;)">'],
    ['in a set of sources', 'logo', '<img srcset="cid:logo, cid:large 2x">'],
    ['in upper case', 'logo', '<img src="CID:logo">'],
    ['as mail programs make it', 'ii.1@host', '<img src="cid:ii.1@host">'],
    ['escaped', 'ii.1@host', '<img src="cid:ii.1%40host">'],
  ])('shows a content ID %s', (_, contentId, html) => {
    expect(shownIn(html)(contentId)).toBe(true);
  });

  it.each([
    ['no ID', ''],
    ['another ID that begins as this one', '<img src="cid:logo.png">'],
    ['its words', '<p>logo</p>'],
    ['another scheme that ends as this one', '<a href="acid:logo">'],
  ])('shows no content ID by %s', (_, html) => {
    expect(shownIn(html)('logo')).toBe(false);
  });

  it('takes an ID that is no valid text', () => {
    expect(shownIn('<img src="cid:a">')('\ud800')).toBe(false);
  });

  it('is read once for any number of IDs, however long', () => {
    const isShown = shownIn('a'.repeat(2_000_000));

    const ids = Array.from({ length: 40_000 }, (_, index) => `${'a'.repeat(99)}${index}`);

    expect(ids.some(isShown)).toBe(false);
  });
});
