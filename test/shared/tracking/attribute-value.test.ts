import { load } from 'cheerio';
import fc from 'fast-check';
import { QuoteType } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { decodedValueOf, encodeAttributeValue } from '#shared/tracking/attribute-value';
import { anyCharacter } from '../../support/any-character.ts';

const decode = (raw: string): string =>
  decodedValueOf(`?${raw}?`, {
    name: 'href',
    valueStart: 1,
    valueEnd: 1 + raw.length,
    quote: QuoteType.Double,
  });

const valueInBrowser = (tag: string) => load(tag)('a').attr('href');

describe('an attribute value', () => {
  it.each([
    ['&amp;amp;', '&amp;'],
    ['&lt;&gt;&quot;&apos;&nbsp;', '<>"\'\u00a0'],
    ['&copy &copy; &copy', '© © ©'],
    ['&copy= &copy1 &copyx &copy;=', '&copy= &copy1 &copyx ©='],
    ['&notin; &notit; &not;', '∉ &notit; ¬'],
    ['&NotEqualTilde;&AMP;&AMP', '≂̸&&'],
    ['&#38;&#x26;&#X26&#38', '&&&&'],
    ['&#0;&#x80;&#xD800;&#x110000;&#99999999999;', '\ufffd€\ufffd\ufffd\ufffd'],
    ['& && &; &# &#x &#; &#x; &unknown; &=', '& && &; &# &#x &#; &#x; &unknown; &='],
    ['a\0b', 'a\ufffdb'],
  ])('%j is read as %j', (raw, value) => {
    expect(decode(raw)).toBe(value);
  });

  it('is read as a browser reads it', () => {
    const names = 'amp AMP copy not notin lt para Eacute fjlig bne x'.split(' ');
    const piece = fc.oneof(
      fc.constantFrom(...'& # x X ; = &# &#x 1 0 é \0'.split(' '), ' ', ...names),
      fc.constantFrom(...names).map((name) => `&${name}`),
      fc.nat(0x11_1000).map((code) => `&#${code};`),
      fc.string({ maxLength: 3 }).map((text) => text.replaceAll('"', "'")),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12, size: 'max' }), (pieces) => {
        const raw = pieces.join('');

        expect(decode(raw)).toBe(valueInBrowser(`<a href="${raw}">`));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    [QuoteType.Double, (text: string) => `<a href="${text}" id=x>`],
    [QuoteType.Single, (text: string) => `<a href='${text}' id=x>`],
    [QuoteType.Unquoted, (text: string) => `<a href=${text} id=x>`],
    [QuoteType.NoValue, (text: string) => `<a href${text} id=x>`],
  ])('is written so that a browser reads it again (quotes: %s)', (quote, tagWith) => {
    const unit = fc.oneof(anyCharacter, fc.constantFrom(...'"\'<>=` \t\n\f', '&amp', '&#65;'));
    const anyValue = fc
      .string({ unit, minLength: 1 })
      .map((text) => text.replaceAll(/[\0\r]/g, ''))
      .filter((text) => text !== '');
    fc.assert(
      fc.property(anyValue, (value) => {
        const tag = tagWith(encodeAttributeValue(value, quote));

        expect(valueInBrowser(tag)).toBe(value);
      }),
      { numRuns: 300 },
    );
  });
});
