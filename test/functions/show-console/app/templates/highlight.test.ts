import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlighted } from '../../../../../functions/show-console/app/templates/highlight.ts';
import { computingMs } from '../../../../support/computing.ts';

const coloured = (html: string) =>
  highlighted(html).map((line) => line.map(({ kind, text }) => (kind ? `${kind}:${text}` : text)));

describe('highlighted', () => {
  it('tells tags, attributes, styles, comments and the template’s own tags apart', () => {
    const lines = coloured(
      '<a href="{{url}}">Hi {{{name}}}</a>\n<!-- {{c}} -->\n<style>a{b:c}</style>',
    );

    expect(lines).toEqual([
      [
        ...['punctuation:<', 'tag:a', ' ', 'attr-name:href', 'punctuation:=', 'attr-value:"'],
        ...['variable:{{url}}', 'attr-value:"', 'punctuation:>', 'Hi ', 'variable:{{{name}}}'],
        ...['punctuation:<', 'punctuation:/', 'tag:a', 'punctuation:>'],
      ],
      ['comment:<!-- ', 'variable:{{c}}', 'comment: -->'],
      [
        ...['punctuation:<', 'tag:style', 'punctuation:>'],
        ...['a', 'punctuation:{', 'attr-name:b', 'punctuation::', 'c', 'punctuation:}'],
        ...['punctuation:<', 'punctuation:/', 'tag:style', 'punctuation:>'],
      ],
    ]);
  });

  it('keeps every character and every line, whatever the text', () => {
    const part = fc.constantFrom(
      '<',
      '>',
      '{{',
      '}}',
      '{{{',
      '"',
      "'",
      '\n',
      '<style>',
      '</style>',
      'a',
      ' ',
      '=',
      '<!--',
      '-->',
      '&amp;',
      '😀',
      '\u202e',
    );
    fc.assert(
      fc.property(
        fc.array(part).map((parts) => parts.join('')),
        (html) => {
          const lines = highlighted(html).map((line) => line.map(({ text }) => text).join(''));

          expect(lines).toEqual(html.split('\n'));
        },
      ),
    );
  });

  it.each([
    '<',
    '<a ',
    '<a b="',
    '<style>',
    '<!--',
    '{{',
    '{{a',
    '<![CDATA[',
    'style="',
    "a='",
    '&',
    '<style>a{',
    '<style>a ',
    '/*',
    '<!',
    '</',
    '<a\n',
    '<a=',
    "<style>'",
  ])('is done soon with 100,000 characters of %j', (part) => {
    const text = part.repeat(100_000 / part.length);

    expect(computingMs(() => highlighted(text))).toBeLessThan(2_000);
  });
});
