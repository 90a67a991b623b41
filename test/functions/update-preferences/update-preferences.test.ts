import { describe, expect, it } from 'vitest';
import { contactIdOf } from '#shared/tokens/resource-id';
import { endpoint as updatePreferences } from '../../../functions/update-preferences/update-preferences.ts';
import { buildContact } from '../../support/contact-builder.ts';
import {
  fakeContacts,
  contactsNow as now,
  someSource as source,
} from '../../support/contacts-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { surroundings } from '../../support/surroundings.ts';

const { organizationId, caller: program } = buildManager();
const contact = buildContact({
  id: contactIdOf(organizationId, 'ann@example.com'),
  unsubscribe: { at: 1 },
});

/** Subscribes Ann, who has unsubscribed from everything, to the news. */
function prepare(caller?: typeof program) {
  const { contacts, effects } = fakeContacts({
    contacts: [contact],
    bareRequests: 1,
    categories: [{ key: 'news', name: 'News' }],
  });
  const subscriptions = [{ categoryKey: 'news', subscribed: true }];
  const body = { email: 'ann@example.com', subscriptions };
  const run = () => updatePreferences.run({ ...surroundings, caller, source, body }, contacts);
  return { run, effects };
}

describe('updatePreferences', () => {
  it('resumes email for a caller with a key', async () => {
    const { run, effects } = prepare(program);

    const { subscriptions } = await run();

    expect(subscriptions).toEqual([{ categoryKey: 'news', subscribed: true }]);
    const update = { subscriptions: { news: true }, liftsUnsubscribe: true };
    expect(effects).toEqual([['outbox.storePreferences', contact, update, now]]);
  });

  it('resumes nothing for a bare address, and counts the request', async () => {
    const { run, effects } = prepare();

    const { subscriptions } = await run();

    expect(subscriptions).toEqual([{ categoryKey: 'news', subscribed: false }]);
    expect(effects).toEqual([['bareAddresses.count', 'ann@example.com', now]]);
  });
});
