import { describe, expect, it } from 'vitest';
import { contentIdFault, fitContentIds } from '#shared/attachments/content-id';

const isShown = (html: string, contentId: string): boolean =>
  fitContentIds(html, [contentId]).contentIds[0] !== undefined;

describe('HTML', () => {
  it.each([
    ['in quotes', 'logo', '<img src="cid:logo">'],
    ['without quotes', 'logo', '<img src=cid:logo>'],
    ['in a style', 'logo', '<p style="background: url(&quot;cid:logo&quot;)">'],
    ['in a set of sources', 'logo', '<img srcset="cid:logo, cid:large 2x">'],
    ['in upper case', 'logo', '<img src="CID:logo">'],
    ['as mail programs make it', 'ii.1@host', '<img src="cid:ii.1@host">'],
    ['escaped', 'ii.1@host', '<img src="cid:ii.1%40host">'],
    ['escaped in part', 'ii$1$a@host', '<img src="cid:ii%241$a@host">'],
  ])('shows a content ID %s', (_, contentId, html) => {
    expect(isShown(html, contentId)).toBe(true);
  });

  it.each([
    ['no ID', ''],
    ['another ID that begins as this one', '<img src="cid:logo.png">'],
    ['its words', '<p>logo</p>'],
    ['another ID that is badly escaped', '<img src="cid:logo%">'],
    ['another ID whose escapes are no UTF-8', '<img src="cid:%ff">'],
    ['another scheme that ends as this one', '<a href="acid:logo">'],
  ])('shows no content ID by %s', (_, html) => {
    expect(isShown(html, 'logo')).toBe(false);
  });

  it('takes an ID that is no valid text', () => {
    expect(isShown('<img src="cid:a">', '\ud800')).toBe(false);
  });

  it('is read once for any number of IDs, however long', () => {
    const ids = Array.from({ length: 40_000 }, (_, index) => `${'a'.repeat(99)}${index}`);

    const { contentIds } = fitContentIds('a'.repeat(2_000_000), ids);

    expect(contentIds.every((id) => id === undefined)).toBe(true);
  });
});

describe('IDs that another program made', () => {
  it('stay as they are, in the HTML too, if the service takes them', () => {
    const html = '<img src="CID:logo%40host">';

    expect(fitContentIds(html, ['logo@host', undefined])).toEqual({
      html,
      contentIds: ['logo@host', undefined],
    });
  });

  it.each([
    ['a dollar sign', 'ii$1@host', '"cid:ii$1@host" "CID:ii%241%40host"'],
    ['too many characters', `${'a'.repeat(79)}`, `"cid:${'a'.repeat(79)}"`],
    ['a percent sign', '100%', '"cid:100%" "cid:100%25"'],
    ['other letters', 'größe', '"cid:größe" "cid:gr%C3%B6%c3%9fe"'],
  ])('that it refuses for %s become others, in the HTML too', (_, id, html) => {
    const fitted = fitContentIds(`${html} "cid:image-1"`, [id, 'image-1']);

    const [own = ''] = fitted.contentIds;
    expect(contentIdFault(own)).toBeUndefined();
    expect(fitted).toEqual({
      html: `${html.replaceAll(/"[^"]+"/g, `"cid:${own}"`)} "cid:image-1"`,
      contentIds: [own, 'image-1'],
    });
  });

  it('belong to the first of several files: the others are beside the text', () => {
    const { contentIds } = fitContentIds('"cid:a" "cid:b"', ['a', 'b', 'a']);

    expect(contentIds).toEqual(['a', 'b', undefined]);
  });
});
