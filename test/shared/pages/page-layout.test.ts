import { isDeepStrictEqual } from 'node:util';
import { load } from 'cheerio';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildConfirmPage, hostileString, hostileText, pageSamples } from './page-samples.ts';

describe.each(Object.entries(pageSamples))('page %s', (_, page) => {
  const $ = load(page);

  it('has a language, a title, one heading and one main part, and fits a phone', () => {
    expect($('html').attr('lang')).toBe('en');
    expect($('title').text()).not.toBe('');
    expect($('h1')).toHaveLength(1);
    expect($('main')).toHaveLength(1);
    expect($('meta[name=viewport]').attr('content')).toBe('width=device-width, initial-scale=1');
  });

  it('asks search engines to pass and browsers to send no referrer', () => {
    expect($('meta[name=robots]').attr('content')).toBe('noindex');
    expect($('meta[name=referrer]').attr('content')).toBe('no-referrer');
  });

  it('holds no script, no inline style or handler, and nothing to load', () => {
    const names = $.root()
      .find('*')
      .toArray()
      .flatMap(({ attribs }) => Object.keys(attribs));

    expect($('script, img, iframe, object, embed, base, link:not([rel=icon])')).toHaveLength(0);
    expect(names.filter((name) => name === 'style' || name.startsWith('on'))).toEqual([]);
    expect($('[src]')).toHaveLength(0);
    expect($('link[rel=icon]').attr('href')).toBe('data:,');
  });

  it('gives every control a name', () => {
    const boxes = $('input:not([type=hidden])').toArray();
    const unnamed = [
      ...boxes.filter((box) => $(box).closest('label').text().trim() === ''),
      ...$('button, a')
        .toArray()
        .filter((control) => $(control).text().trim() === ''),
    ];

    expect(unnamed).toEqual([]);
  });

  it('is small enough to come in the first round trip', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(14_000);
  });
});

describe('organization name', () => {
  it('is shown as text, however hostile', () => {
    const $ = load(buildConfirmPage({ organizationName: hostileText }));

    expect($('header').text()).toBe(hostileText);
    expect($('title').text()).toBe(`Unsubscribe – ${hostileText}`);
    expect($('script, img')).toHaveLength(0);
  });

  it('changes nothing of the page but its own places, whatever it is', () => {
    const tags = (page: string) => page.match(/<[^>]*>/g);
    const expected = tags(buildConfirmPage());

    fc.assert(
      fc.property(hostileString, (organizationName) =>
        isDeepStrictEqual(tags(buildConfirmPage({ organizationName })), expected),
      ),
    );
  });

  it('is kept apart from the writing direction of the text around it', () => {
    const $ = load(buildConfirmPage({ organizationName: 'شركة' }));

    const shown = $('body *')
      .toArray()
      .filter((element) => $(element).text() === 'شركة');

    expect(shown.map(({ tagName }) => tagName)).toContain('bdi');
    expect($('p').first().find('bdi').first().text()).toBe('شركة');
  });
});
