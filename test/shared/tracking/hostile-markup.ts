import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character.ts';
import { readFixture } from './recorded-rewrite.ts';

const urls = [
  'http://h/',
  'https://h/?a=1&amp;b=2',
  'https://h/?a=1&copy=2&copy;3&notit;&not',
  '//h/p',
  '/p?x=1#y',
  'p',
  '#f',
  '',
  'mailto:x@y',
  'HTTP:\\\\h\\p',
  'http:h',
  '\tht\ntp://h/\r\nx ',
  'http&#58;&#x2F;&sol;h',
  'http://[',
  'https://t.example/unsubscribe?t=1',
];

const links = urls.flatMap((url) => [
  `<a href="${url}">`,
  `<A HREF = '${url}' >`,
  `<a class=x href=${url.replaceAll(/\s/g, '')}>`,
]);

const text = [
  'x',
  'é',
  '日本',
  '👍🏽',
  '\ud800',
  '\0',
  '\r\n',
  '\f',
  '&',
  '&amp',
  '&lt;',
  '\u212a',
  '`',
];

const punctuation = [
  '<',
  '>',
  '"',
  "'",
  '=',
  '/',
  ' ',
  '!',
  '-',
  '--',
  '?',
  '[',
  ']',
  '</',
  '<a',
  'href=',
  '<!',
];

const tags = [
  '</a>',
  '</A x=">">',
  '<p>',
  '</p>',
  '</p x="',
  "</div a='>'>",
  '<div>',
  '<br/>',
  '<table>',
  '<tr>',
  '<td>',
  '</table>',
  '<html>',
  '<head>',
  '<body>',
  '</body>',
  '</BODY >',
  '</html>',
  // One only: which of several is first can depend on tables (HTML §13.2.6.1, foster parenting).
  '<base href="https://base/dir/">',
  '<a data-track="false" href="http://h/">',
  '<area data-track=FALSE href=http://h/>',
  '<area href=http://h/>',
  '<a href>',
  '<a href="http://1/" href="http://2/">',
];

const rawText = 'script style title textarea xmp iframe noembed noframes noscript'
  .split(' ')
  .flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} x='>'>y</${name} >`]);

const special = [
  '<!--',
  '-->',
  '--!>',
  '<!-->',
  '<!--->',
  '<!--[if mso]>',
  '<![endif]-->',
  '<![if !mso]>',
  '<![endif]>',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE html>',
  '<!doctype',
  '<?xml ?>',
  '<script',
  '</script ',
  '<plaintext>',
];

/** Foreign content whose tags are balanced, for which alone `OpenElements` is exact. */
const balanced = [
  '<svg><title/><style/><path d="M0 0"/></svg>',
  '<svg><title><a href="http://h/">x</a></title></svg>',
  '<svg><![CDATA[ > <a href="http://h/"> ]]></svg>',
  '<svg><foreignObject><title><a href="http://h/"></title></foreignObject><title/></svg>',
  '<math><mi><a href="http://h/">x</a></mi><style/></math>',
  '<template><svg><title/></svg><a href="http://h/"></template>',
];

const pieces = (...lists: (readonly string[])[]) =>
  fc.oneof(...lists.map((list) => fc.constantFrom(...list)));

/** Markup in no order at all. What ends all markup is rare, so that links stay alive. */
export const brokenMarkup = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: pieces(links, tags) },
      { weight: 3, arbitrary: pieces(text, punctuation) },
      { weight: 2, arbitrary: pieces(special, rawText, balanced) },
      { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 5 }) },
    ),
    { maxLength: 30, size: 'max' },
  )
  .map((found) => found.join(''));

/** Without the template and the SVG, which changes would put out of balance. */
const mails = 'receipt outlook-button newsletter password-reset fragment broken multilingual'
  .split(' ')
  .map(readFixture)
  .map((html) => html.replaceAll(/<(template|svg).*<\/\1>/g, ''));

const change = fc.record({
  at: fc.nat(),
  removed: fc.oneof(fc.nat(3), fc.nat(60)),
  inserted: fc.oneof(fc.constant(''), pieces(links, tags, text, punctuation, special, rawText)),
});

/** A fixture with up to four stretches replaced. */
export const mutatedMail = fc
  .tuple(fc.constantFrom(...mails), fc.array(change, { minLength: 1, maxLength: 4 }))
  .map(([mail, changes]) =>
    changes.reduce((html, { at, removed, inserted }) => {
      const start = at % (html.length + 1);
      return html.slice(0, start) + inserted + html.slice(start + removed);
    }, mail),
  );
