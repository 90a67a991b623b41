import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import { unsubscribePage } from '#shared/pages/unsubscribe-page';
import { buildConfirmPage, buildDonePage, hostileText } from './page-samples.ts';

const recipient = { organizationName: 'Northwind Coffee', email: 'ann@example.com' };

describe('unsubscribePage', () => {
  it('asks with a form that posts to the action, and has no other control', () => {
    const $ = load(buildConfirmPage());

    expect($('form').attr()).toMatchObject({
      method: 'post',
      action: '/api/unsubscribe?token=token-1',
    });
    expect($('form button').text()).toBe('Unsubscribe');
    expect($('input')).toHaveLength(0);
  });

  it('sends the token as a field if it is given one', () => {
    const form = { action: '/api/unsubscribe', token: hostileText };

    const $ = load(unsubscribePage({ state: 'confirm', form, ...recipient }));

    expect($('input[type=hidden]').attr()).toMatchObject({ name: 'token', value: hostileText });
    expect($('form').attr('action')).toBe('/api/unsubscribe');
  });

  it('keeps a hostile action and link inside their attributes', () => {
    const form = { action: hostileText };

    const $ = load(
      unsubscribePage({ state: 'confirm', form, preferencesUrl: hostileText, ...recipient }),
    );

    expect($('form').attr('action')).toBe(hostileText);
    expect($('main a').attr('href')).toBe(hostileText);
    expect($('script, img')).toHaveLength(0);
  });

  it('says that it is done, without a form', () => {
    const $ = load(buildDonePage());

    expect($('h1').text()).toBe('You are unsubscribed');
    expect($('form, button, input')).toHaveLength(0);
  });

  it.each([buildConfirmPage, buildDonePage])(
    'links to the preferences and masks the address',
    (build) => {
      const page = build({ email: 'ann.smith@example.com' });

      expect(load(page)('main a').attr('href')).toBe('/preferences?token=token-2');
      expect(page).toContain('a***@example.com');
      expect(page).not.toContain('ann.smith');
    },
  );

  it.each([buildConfirmPage, buildDonePage])(
    'says where the preferences are to a person whose link only unsubscribes',
    (build) => {
      const $ = load(build({ preferencesUrl: undefined }));

      expect($('main').text()).toContain(
        'use the “Email preferences” link at the end of a newsletter',
      );
      expect($('main a')).toHaveLength(0);
    },
  );

  it('names no address of an erased person', () => {
    const { organizationName } = recipient;
    const form = { action: '/api/unsubscribe?token=token-1' };

    const pages = [
      unsubscribePage({ state: 'confirm', form, organizationName }),
      unsubscribePage({ state: 'done', organizationName }),
    ];

    const texts = pages.map((page) => load(page)('main').text());
    expect(texts[0]).toContain('will stop sending newsletters and offers to you.');
    expect(texts[1]).toContain('won’t send any more newsletters or offers to you.');
    for (const text of texts) expect(text).not.toMatch(/@|undefined/);
  });

  it.each(['confirm', 'done'] as const)(
    'says in the state "%s" which category is left, that others go on, and how to end them',
    (state) => {
      const form = { action: '/api/unsubscribe?token=token-1' };
      const category = { name: hostileText, everything: { action: '/api/unsubscribe?all' } };

      const $ = load(unsubscribePage({ state, form, category, ...recipient }));

      expect($('h1').text()).toContain(`“${hostileText}”`);
      expect($('main').text()).toContain('still get its other newsletters and offers.');
      expect($('form').last().attr('action')).toBe('/api/unsubscribe?all');
      expect($('form button').last().text()).toBe('Unsubscribe from everything');
      expect($('script, img')).toHaveLength(0);
    },
  );

  it('promises no other emails to a person who has left everything', () => {
    const category = { name: 'Offers' };

    const $ = load(unsubscribePage({ state: 'done', category, ...recipient }));

    expect($('main').text()).not.toContain('still get its other');
    expect($('form')).toHaveLength(0);
  });

  it('has no link if there is no preferences page to link to', () => {
    const $ = load(unsubscribePage({ state: 'done', ...recipient }));

    expect($('a')).toHaveLength(0);
  });
});
