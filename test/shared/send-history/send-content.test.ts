import { describe, expect, it } from 'vitest';
import { type SendContent, withOwnImages } from '#shared/send-history/send-content';
import { buildSend } from '../../support/send-builder.ts';

const html = '<img src="cid:one"><img src="cid:two">';

const keptWith = (attachments: SendContent['content']['attachments']): SendContent => ({
  send: buildSend({ contentDays: 7 }),
  content: { subject: 'Hello', content: '', attachments, hasFiles: true },
});

const image = (contentId: string) => ({
  filename: `${contentId}.png`,
  contentType: 'image/png',
  contentId,
  size: 1,
});

const shown = (files: readonly string[] | undefined) =>
  withOwnImages(html, keptWith([image('one'), image('two')]), {
    contents: { get: async () => files },
  });

describe('the images of a stored email', () => {
  it('are inlined in its HTML while they fit in an answer', async () => {
    const large = 'A'.repeat(2_000_000);

    expect(await shown(['AAAA', 'BBBB'])).toBe(
      '<img src="data:image/png;base64,AAAA"><img src="data:image/png;base64,BBBB">',
    );
    expect(await shown([large, large])).toBe(
      `<img src="data:image/png;base64,${large}"><img src="cid:two">`,
    );
  });

  it("are left out when the bucket doesn't have its files", async () => {
    expect(await shown(undefined)).toBe(html);
  });

  it.each([
    ['a name in its type', 'image/png; name="l.png"', 'logo@x', 'cid:logo@x'],
    ['a type in upper case', 'IMAGE/PNG', 'logo@x', 'cid:logo@x'],
    ['an escaped ID', 'image/png', 'logo@x', 'cid:logo%40x'],
    ['an upper-case scheme', 'image/png', 'logo@x', 'CID:logo@x'],
  ])('are inlined in HTML with %s', async (_, contentType, contentId, url) => {
    const kept = keptWith([{ ...image(contentId), contentType }]);

    const html = await withOwnImages(`<img src="${url}">`, kept, {
      contents: { get: async () => ['AAAA'] },
    });

    expect(html).toBe('<img src="data:image/png;base64,AAAA">');
  });

  it.each(['text/html', 'image/png"><script>', 'image/'])(
    "aren't inlined with the type %s",
    async (contentType) => {
      const kept = keptWith([{ ...image('one'), contentType }]);

      expect(await withOwnImages(html, kept, { contents: { get: async () => ['AAAA'] } })).toBe(
        html,
      );
    },
  );
});
