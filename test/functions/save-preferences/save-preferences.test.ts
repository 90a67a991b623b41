import { describe, expect, it } from 'vitest';
import type { PreferencesChoice } from '#shared/pages/preferences-form';
import { findTokenHolder } from '#shared/send-history/token-holder';
import { savePreferences } from '../../../functions/save-preferences/save-preferences.ts';
import { type Audience, openAudience } from '../../support/audience.ts';

/** Ann saves the form of the page that she sees. */
async function save(audience: Audience, choice: PreferencesChoice) {
  const holder = await findTokenHolder('preferences', audience.tokenOf('preferences'), audience);
  await savePreferences(holder, choice, audience);
}

const offNews = { categoryKey: 'news', subscribed: false };

describe('savePreferences', () => {
  it('unsubscribes a person who deselects everything', async () => {
    const audience = await openAudience();

    await save(audience, { kind: 'unsubscribeAll' });

    expect(await audience.ann()).toMatchObject({ unsubscribe: { at: audience.now() } });
    expect(await audience.reported()).toEqual(['contact.unsubscribed', 'suppression.added']);
  });

  it('lifts the unsubscription of a person who returns, and keeps her other choices', async () => {
    const audience = await openAudience();
    await audience.choose({ news: false });
    await audience.leave();

    await save(audience, { kind: 'resubscribe' });

    expect(await audience.ann()).toMatchObject({ subscriptions: { news: false } });
    expect(await audience.ann()).not.toHaveProperty('unsubscribe');
    expect(await audience.reported()).toEqual([
      'contact.preferences_updated',
      'suppression.removed',
    ]);
  });

  it.each<[string, PreferencesChoice]>([
    ['has already returned', { kind: 'resubscribe' }],
    ['saves the same choices again', { kind: 'save', changes: [offNews] }],
  ])('changes nothing for a person who %s', async (_what, choice) => {
    const audience = await openAudience();
    await audience.choose({ news: false });
    const before = await audience.ann();

    await save(audience, choice);

    expect(await audience.ann()).toEqual(before);
    expect(await audience.reported()).toEqual([]);
  });

  it('stores the choice of categories', async () => {
    const audience = await openAudience();

    await save(audience, { kind: 'save', changes: [offNews] });

    expect(await audience.ann()).toMatchObject({ subscriptions: { news: false } });
    expect(await audience.reported()).toEqual(['contact.preferences_updated']);
  });

  it('changes nothing when an unsubscribed person saves the page unchanged', async () => {
    const audience = await openAudience();
    await audience.leave();
    const before = await audience.ann();

    await save(audience, { kind: 'save', changes: [offNews] });

    expect(await audience.ann()).toEqual(before);
    expect(await audience.reported()).toEqual([]);
  });

  it('stores the choice without a category that was deleted while the page was open', async () => {
    const audience = await openAudience();
    const offGone = { categoryKey: 'gone', subscribed: false };

    await save(audience, { kind: 'save', changes: [offGone, offNews] });

    expect((await audience.ann()).subscriptions).toEqual({ news: false });
  });
});
