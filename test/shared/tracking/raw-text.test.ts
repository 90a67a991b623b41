import { load } from 'cheerio';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findScriptEnd } from '#shared/tracking/raw-text';

const start = '<script>';
const endOf = (script: string) => findScriptEnd(start + script, start.length) - start.length;

describe('the end of a script', () => {
  it.each([
    ['is its first end tag', 'x</script>y</script>', 1],
    ['may have any case and attributes', 'x</SCRIPT id=y>', 1],
    ['is no longer name', 'x</scripts></script>', 11],
    ['is in a comment too', '<!-- </script>', 5],
    ['is behind a script that a comment holds', '<!--<script></script></script>', 21],
    ['is the first end tag once that comment has ended', '<!--<script>--></script></script>', 15],
    ['needs no comment that is over at once', '<!--><script></script></script>', 13],
    ['is that of the document when there is none', '<!--<script></script>-->', 24],
  ])('%s', (_, script, expected) => {
    expect(endOf(script)).toBe(expected);
  });

  it('is where a browser finds it', () => {
    const piece = fc.constantFrom(
      '<!--',
      '-->',
      '--',
      '-',
      '>',
      '<',
      '!',
      '/',
      ' ',
      'x',
      '<script',
      '<SCRIPT>',
      '</script',
      '</script>',
      '</Script\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15, size: 'max' }), (pieces) => {
        // What follows ends the script in whatever state the pieces have left it.
        const html = `${start}${pieces.join('')}--></script>`;
        const script = load(html)('script').first().text();

        const end = findScriptEnd(html, start.length);

        expect(html.slice(start.length, end)).toBe(script);
      }),
      { numRuns: 1_500 },
    );
  });
});
