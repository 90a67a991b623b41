import { describe, expect, it } from 'vitest';
import type { PreferencesChoice } from '#shared/pages/preferences-form';
import { savePreferences } from '../../../functions/save-preferences/save-preferences.ts';
import { buildMailRecipient } from '../../support/mail-recipient-builder.ts';

const now = 1_750_000_000_000;

async function effectsOf(choice: PreferencesChoice) {
  const recipient = buildMailRecipient();
  const effects: unknown[] = [];
  await savePreferences(recipient, choice, {
    now: () => now,
    getContact: async () => recipient.contact,
    listCategories: async () => [{ key: 'news', name: 'News' }],
    savePreferences: async (...args) => {
      effects.push(['save', ...args]);
    },
    suppress: async (...args) => {
      effects.push(['suppress', ...args]);
    },
  });
  return { effects, recipient };
}

describe('savePreferences', () => {
  it('suppresses who wants nothing any more', async () => {
    const { effects, recipient } = await effectsOf({ kind: 'unsubscribeAll' });

    expect(effects).toEqual([['suppress', recipient.contact, now]]);
  });

  it('lifts the unsubscription of who comes back', async () => {
    const { effects, recipient } = await effectsOf({ kind: 'resubscribe' });

    const update = { subscriptions: {}, liftsUnsubscribe: true };
    expect(effects).toEqual([['save', recipient.contact.id, update, now]]);
  });

  it('stores the choice of categories', async () => {
    const changes = [{ categoryKey: 'news', subscribed: false }];

    const { effects, recipient } = await effectsOf({ kind: 'save', changes });

    const update = { subscriptions: { news: false }, liftsUnsubscribe: false };
    expect(effects).toEqual([['save', recipient.contact.id, update, now]]);
  });
});
