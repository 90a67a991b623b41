import { describe, expect, it } from 'vitest';
import type { Scope } from '#shared/access/scopes';
import { contactIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { updatePreferences } from '../../../functions/update-preferences/update-preferences.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildContact } from '../../support/contact-builder.ts';
import { fakeContacts, contactsNow as now } from '../../support/contacts-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';

const organizationId = newOrganizationId();
const contact = buildContact({
  id: contactIdOf(organizationId, 'ann@example.com'),
  unsubscribe: { at: 1 },
});

/** Subscribes Ann, who has unsubscribed from everything, to the news. */
function prepare(scopes?: Scope[]) {
  const { text, apiKey } = buildApiKey({ organizationId, scopes: scopes ?? [] });
  const { contacts, effects } = fakeContacts({
    apiKeys: [apiKey],
    contacts: [contact],
    bareRequests: 1,
    categories: [{ key: 'news', name: 'News' }],
  });
  const credential = scopes === undefined ? undefined : text;
  const run = () =>
    updatePreferences(
      { credential, source: '203.0.113.7' },
      () => ({
        email: 'ann@example.com',
        subscriptions: [{ categoryKey: 'news', subscribed: true }],
      }),
      contacts,
    );
  return { run, effects };
}

describe('updatePreferences', () => {
  it('brings back the email for a key', async () => {
    const { run, effects } = prepare(['preferences_manage']);

    const { subscriptions } = await run();

    expect(subscriptions).toEqual([{ categoryKey: 'news', subscribed: true }]);
    const update = { subscriptions: { news: true }, liftsUnsubscribe: true };
    expect(effects).toEqual([['outbox.storePreferences', contact, update, now]]);
  });

  it('brings nothing back for a bare address, and counts the request', async () => {
    const { run, effects } = prepare();

    const { subscriptions } = await run();

    expect(subscriptions).toEqual([{ categoryKey: 'news', subscribed: false }]);
    expect(effects).toEqual([['bareAddresses.count', 'ann@example.com', now]]);
  });

  it('changes nothing for a key that may only read', async () => {
    const { run, effects } = prepare(['preferences_read']);

    expect((await serviceErrorOf(run)).code).toBe('missing_scope');
    expect(effects).toEqual([]);
  });

  it('reads no request of a caller whose key is not valid', async () => {
    const { contacts } = fakeContacts({ apiKeys: [] });
    const parse = unexpected('reading of the request');

    const error = await serviceErrorOf(() =>
      updatePreferences({ credential: buildApiKey().text, source: '203.0.113.7' }, parse, contacts),
    );

    expect(error.code).toBe('invalid_api_key');
  });
});
