import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalLocale, localeChain } from '#shared/templates/language-tag';
import { wordsIn } from '#shared/templates/template-locale';
import { anyCharacter } from '../../support/any-character.ts';

describe('a language tag', () => {
  it.each([
    ['de', 'de'],
    ['de_at', 'de-AT'],
    ['ZH-hant-tw', 'zh-Hant-TW'],
    ['de-AT-u-co-phonebk', 'de-AT'],
    ['', undefined],
    ['not a language', undefined],
    ['de-', undefined],
    ['x'.repeat(36), undefined],
  ])('%j is read as %j', (text, locale) => {
    expect(canonicalLocale(text)).toBe(locale);
  });

  it('is read without an error, whatever it is, and reading the result changes nothing', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom('de-Latn-AT-1996')),
        (text) => {
          const locale = canonicalLocale(text);
          expect(locale && canonicalLocale(locale)).toBe(locale);
        },
      ),
    );
  });

  it('falls back to ever shorter ones', () => {
    expect(localeChain('zh-Hant-TW')).toEqual(['zh-Hant-TW', 'zh-Hant', 'zh']);
  });
});

describe('the text for a language', () => {
  const own = { subject: 'own', content: 'own' };
  const locales = { de: { subject: 'de', content: 'de' } };

  it.each([
    [undefined, 'own'],
    ['de-AT', 'de'],
    ['fr', 'own'],
    ['constructor', 'own'],
  ])('for %s is in %s', (locale, subject) => {
    expect(wordsIn({ ...own, locales }, locale).subject).toBe(subject);
  });
});
