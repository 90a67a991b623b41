import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfHtml } from '#shared/templates/rendering/text-of-html';
import { computingMs } from '../../../support/computing.ts';

describe('textOfHtml', () => {
  it.each([
    ['blocks as lines', '<div>a</div><div>b<br>c</div>', 'a\n\nb\nc'],
    ['paragraphs apart', '<h1>T</h1><p>a</p>\n\n<p>b</p>', 'T\n\na\n\nb'],
    ['list entries', '<ul><li>One<li>Two</li></ul>', '- One\n- Two'],
    ['cells apart', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>', 'a b\n\nc'],
    ['white space as one space', 'a  \n\t b&nbsp;c', 'a b c'],
    ['character references', '&lt;b&gt; &amp;amp; &#x20ac;', '<b> &amp; €'],
    [
      'a link’s address',
      '<a href="https://x.example/?a=1&amp;b=2">here</a>',
      'here (https://x.example/?a=1&b=2)',
    ],
    ['an address once', '<a href="https://x.example">https://x.example</a>', 'https://x.example'],
    ['a mail address once', '<a href="mailto:a@x.example">a@x.example</a>', 'a@x.example'],
    ['a telephone number', '<a href="tel:+4930123">Call us</a>', 'Call us (tel:+4930123)'],
    ['a telephone number once', '<a href="tel:+4930123">+4930123</a>', '+4930123'],
    [
      'a link’s address without white space, as browsers read it',
      '<a href=" \n https://x.example/\n\tpay ">here</a>',
      'here (https://x.example/pay)',
    ],
    [
      'the address of a link without a scheme',
      '<a href="//x.example/pay">here</a>',
      'here (https://x.example/pay)',
    ],
    [
      'a mail address once, beside white space',
      '<a href=" mailto:a@x.example">a@x.example</a>',
      'a@x.example',
    ],
    [
      'no address of a fragment or script',
      '<a href="#top">up</a> <a href="javascript:x">x</a>',
      'up x',
    ],
    [
      'a picture’s alternative text',
      '<a href="https://x.example"><img src="l.png" alt="Logo"></a>',
      'Logo (https://x.example)',
    ],
    ['nothing of a picture without', '<img src="l.png">', ''],
    [
      'no style, script, title or comment',
      '<title>t</title><style>p{}</style><script>x</script><!-- c -->a',
      'a',
    ],
    ['no preheader that is hidden', '<div style="Display : none"><div>x</div>pre</div>a', 'a'],
    ['nothing that has the attribute hidden', '<span hidden>x</span>a', 'a'],
    ['nothing of a template', '<template><p>x</p></template>a', 'a'],
    [
      'what follows hidden elements without an end',
      '<div hidden><br>x<img src="l.png"></div>a',
      'a',
    ],
    ['what follows a hidden picture', '<img style="display:none" alt="">a', 'a'],
    ['tags that close themselves', 'a<br/>b<p/>c', 'a\nb\n\nc'],
    [
      'the lines of preformatted text, and their indentation',
      'a<pre>\n{\r\n  "b":   1\n}\n</pre>c  <PRE>d<b>\n\n\n\n&#10;e</b></PRE>',
      'a\n\n{\n  "b":   1\n}\n\nc\n\nd\n\ne',
    ],
    [
      'the indentation of preformatted text that begins the text',
      ' <pre>\n \n  {\n    "b"\n  }\n \n</pre>\n',
      '  {\n    "b"\n  }',
    ],
    ['the tab that begins the text, if it is preformatted', '<pre>\ta</pre>', '\ta'],
    ['nothing of preformatted white space', ' <pre> \n\t \n </pre> ', ''],
    ['no white space around the text', '&nbsp; <b> a</b>&nbsp; ', 'a'],
    ['upper-case tags', '<P>a</P><P>b<BR>c', 'a\n\nb\nc'],
  ])('shows %s', (_what, html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });

  it('never throws, and returns tidy text', () => {
    const anyHtml = fc
      .array(
        fc.oneof(
          fc.constantFrom('<p>', '</p>', '<a href="http://x">', '</a>', '<div hidden>', '</div>'),
          fc.constantFrom('<', '>', '"', '&', '&amp', '<!--', '-->', '<style>', '<br', '\n', ' '),
          fc.string({ maxLength: 4 }),
        ),
      )
      .map((pieces) => pieces.join(''));

    fc.assert(
      fc.property(anyHtml, (html) => {
        const text = textOfHtml(html);

        expect(text).toBe(text.trim());
        expect(text).not.toMatch(/ {2}|\n{3}| \n|\n /);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    '<b>',
    '<a href=http://x>',
    '<li>',
    '</p>',
    '<',
    '&lt;',
    ' \n',
    '<div hidden>',
    '<td ',
    '<pre>\n ',
    '<pre> </pre>',
  ])('is quick for a megabyte of %j', (piece) => {
    const html = piece.repeat(1_000_000 / piece.length);

    expect(computingMs(() => textOfHtml(html))).toBeLessThan(5_000);
  });
});
