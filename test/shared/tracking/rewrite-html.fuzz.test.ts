import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rewriteHtml } from '#shared/tracking/rewrite-html';
import { expectFaithful } from './expect-faithful.ts';
import { brokenMarkup, mutatedMail } from './hostile-markup.ts';
import { isOwn, recordRewrite } from './recorded-rewrite.ts';

describe('any markup whatever', () => {
  it('keeps every byte and has exactly its links tracked, as a browser judges', () => {
    fc.assert(
      fc.property(brokenMarkup, (html) => {
        expectFaithful(html);
      }),
      { numRuns: 1_000 },
    );
  });

  it('does so when it is a real mail with a few changes', () => {
    fc.assert(
      fc.property(mutatedMail, (html) => {
        expectFaithful(html);
      }),
      { numRuns: 500 },
    );
  });

  it('is not changed any more once its links are tracked', () => {
    const again = (html: string) =>
      rewriteHtml(html, {
        trackedUrl: (url) => (isOwn(url) ? undefined : 'https://t.example/2'),
        beforeBodyEnd: '',
      });
    fc.assert(
      fc.property(brokenMarkup, (html) => {
        const { output } = recordRewrite(html);

        expect(again(output)).toBe(output);
      }),
      { numRuns: 400 },
    );
  });
});

describe('a megabyte of hostile markup', () => {
  it.each([
    '<script></script>',
    '<script><!--<script>',
    '<script><!-- --></script x=">">',
    '</p x="">',
    '</p "',
    "</p x='",
    '<![CDATA[',
    '<![CDATA[>',
    '<svg><![CDATA[',
    '<svg></math>',
    '<svg><desc></p>',
    '<template>',
    '<template></svg>',
    '<title></title',
    '<title>&lt</title x=">">',
    '<!--',
    '<!--!',
    '<!-->',
    '<a href="',
    "<a href='",
    '<a href=&amp;&#',
    '<a href=&ampamp',
    '<a b',
    '<a b=',
    '<a/',
    '<',
    '</',
    '<!',
    '<?',
    '&',
    '\ud800',
  ])('of %j is read in one pass, and is kept', (text) => {
    const html = text.repeat(1_000_000 / text.length);

    const output = rewriteHtml(html, {
      trackedUrl: () => undefined,
      beforeBodyEnd: '¶',
    });

    expect(output.length).toBe(html.length + 1);
    expect(output.replace('¶', '') === html).toBe(true);
  });
});
