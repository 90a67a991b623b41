import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import { buildPreferencesPage, hostileText } from './page-samples.ts';

const openPage = (...sample: Parameters<typeof buildPreferencesPage>) => {
  const $ = load(buildPreferencesPage(...sample));
  const boxes = $('input[type=checkbox]').toArray();
  return {
    $,
    boxes,
    ticked: boxes.filter((box) => $(box).is(':checked')).map(({ attribs }) => attribs['value']),
  };
};

describe('preferencesPage', () => {
  it('shows one box per category, ticked when subscribed', () => {
    const { $, boxes, ticked } = openPage({ ticked: ['news', 'offers'] });

    expect(
      $('label')
        .toArray()
        .map((label) => $(label).text().trim()),
    ).toEqual(['Product news', 'Tips and guides', 'Offers and discounts']);
    expect(boxes.map(({ attribs }) => attribs['name'])).toEqual([
      'category',
      'category',
      'category',
    ]);
    expect(ticked).toEqual(['news', 'offers']);
  });

  it('names the group of boxes', () => {
    const { $ } = openPage();

    expect($('fieldset legend').text()).toBe('Send me');
  });

  it('masks the address', () => {
    const page = buildPreferencesPage();

    expect(page).toContain('a***@example.com');
    expect(page).not.toContain('ann.smith');
  });

  it('says in the title and in a status that choices are saved, and only then', () => {
    const saved = openPage({ saved: true });
    const fresh = openPage();

    expect(saved.$('[role=status]').text()).toBe('Your choices are saved.');
    expect(saved.$('title').text()).toMatch(/^Your choices are saved – /);
    expect(fresh.$('[role=status]')).toHaveLength(0);
    expect(fresh.$('title').text()).toMatch(/^Email preferences – /);
  });

  it('has the save button first, so that Enter saves', () => {
    const { $ } = openPage();

    const buttons = $('form button').toArray();

    expect(buttons.map((button) => $(button).text())).toEqual([
      'Save',
      'Unsubscribe from everything',
    ]);
    expect(buttons.map(({ attribs }) => attribs['name'])).toEqual([undefined, 'unsubscribeAll']);
  });

  it('ticks nothing and tells the way back if the person is unsubscribed from everything', () => {
    const { $, boxes, ticked } = openPage({ unsubscribedFromAll: true, ticked: ['news'] });

    expect(boxes).toHaveLength(3);
    expect(ticked).toEqual([]);
    expect($('.notice').text()).toBe(
      'You are unsubscribed from everything. To get emails again, tick what you’d like and save.',
    );
    expect($('form button').text()).toBe('Save');
  });

  it('offers to unsubscribe from everything if there are no categories', () => {
    const { $, boxes } = openPage({ names: {} });

    expect(boxes).toHaveLength(0);
    expect($('fieldset')).toHaveLength(0);
    expect($('form button').text()).toBe('Unsubscribe from everything');
  });

  it('offers a button to come back if there are no categories and the person is unsubscribed', () => {
    const { $ } = openPage({ names: {}, unsubscribedFromAll: true });

    expect($('form button').attr()).toMatchObject({ name: 'resubscribe', value: 'true' });
    expect($('form button').text()).toBe('Get emails again');
    expect($('.notice').text()).toContain('To get emails again, use the button below.');
  });

  it('shows hostile names, keys and tokens as the text they are', () => {
    const form = { action: hostileText, token: hostileText };

    const { $, ticked } = openPage({
      form,
      names: { [hostileText]: hostileText },
      ticked: [hostileText],
    });

    expect($('label').text().trim()).toBe(hostileText);
    expect(ticked).toEqual([hostileText]);
    expect($('input[name=token]').attr('value')).toBe(hostileText);
    expect($('form').attr('action')).toBe(hostileText);
    expect($('script, img')).toHaveLength(0);
  });
});
