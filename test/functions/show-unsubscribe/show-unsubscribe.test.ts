import { describe, expect, it } from 'vitest';
import { signContactToken } from '#shared/preferences/contact-token';
import type { TokenHolder } from '#shared/sends/token-holder';
import { endpoint as getPreferences } from '../../../functions/get-preferences/get-preferences.ts';
import { showUnsubscribe } from '../../../functions/show-unsubscribe/show-unsubscribe.ts';
import { unsubscribe } from '../../../functions/unsubscribe/unsubscribe.ts';
import { endpoint as updatePreferences } from '../../../functions/update-preferences/update-preferences.ts';
import {
  fakeContacts,
  contactsNow as now,
  someSource as source,
} from '../../support/contacts-builder.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';
import { buildTokenHolder } from '../../support/token-holder-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const keyring = buildKeyring();

function redirectOf(holder: TokenHolder): URL {
  const view = showUnsubscribe(holder);
  if (view.kind !== 'redirect') throw new Error('It does not redirect');
  return new URL(view.url);
}

const holderAt = (unsubscribePageUrl: string) =>
  buildTokenHolder({ organization: buildOrganization({ unsubscribePageUrl }) });

describe('showUnsubscribe', () => {
  it("asks to confirm on the service's own page", () => {
    expect(showUnsubscribe(buildTokenHolder())).toEqual({ kind: 'confirm' });
  });

  it.each([{ paused: true }, { linksDisabled: true }])(
    'redirects nobody to the own page of an organization with %o',
    (state) => {
      const unsubscribePageUrl = 'https://shop.example.com/bye';
      const organization = buildOrganization({ unsubscribePageUrl, ...state });

      const view = showUnsubscribe(buildTokenHolder({ organization }));

      expect(view).toEqual({ kind: 'confirm' });
    },
  );

  it.each([
    ['https://shop.example.com/bye', 'https://shop.example.com/bye?token='],
    ['https://shop.example.com/bye?lang=de', 'https://shop.example.com/bye?lang=de&token='],
    ['https://shop.example.com/bye?token=old#x', 'https://shop.example.com/bye?token='],
  ])("redirects to the organization's page, %s, with the link's token", (page, beginning) => {
    const holder = holderAt(page);

    const url = redirectOf(holder);

    expect(url.href).toBe(`${beginning}${holder.text}${new URL(page).hash}`);
  });
});

describe("the token of the organization's own page", () => {
  function prepare(made: 'unsubscribe' | 'preferences' = 'preferences') {
    const { token: recipient, ...others } = holderAt('https://shop.example.com/bye');
    const text = signContactToken(keyring, made, recipient);
    const holder = { ...others, token: recipient, text };
    const { contacts, effects } = fakeContacts({
      keyring,
      organizations: [holder.organization],
      contacts: [holder.contact],
      categories: [{ key: 'news', name: 'News' }],
    });
    const token = redirectOf(holder).searchParams.get('token') ?? '';
    return { holder, contacts, effects, token };
  }

  it('unsubscribes', async () => {
    const { holder, contacts, effects, token } = prepare();
    const readFields = unexpected('reading of the body');

    await unsubscribe({ query: { token }, credential: undefined, source, readFields }, contacts);

    expect(effects).toEqual([['outbox.unsubscribe', holder.contact, now]]);
  });

  it("shows no preferences to a person who came through an email's header", async () => {
    const { contacts, token } = prepare('unsubscribe');

    const error = await serviceErrorOf(() =>
      getPreferences.run(
        { ...surroundings, caller: undefined, source, query: { token } },
        contacts,
      ),
    );

    expect(error.code).toBe('contact_not_found');
  });

  it('shows and changes the preferences', async () => {
    const { holder, contacts, effects, token } = prepare();
    const off = { categoryKey: 'news', subscribed: false };

    const asker = { caller: undefined, source };
    const shown = await getPreferences.run(
      { ...surroundings, ...asker, query: { token } },
      contacts,
    );
    const changed = await updatePreferences.run(
      { ...surroundings, ...asker, body: { token, subscriptions: [off] } },
      contacts,
    );

    expect(shown.subscriptions).toEqual([{ categoryKey: 'news', subscribed: true }]);
    expect(changed.subscriptions).toEqual([off]);
    const update = { subscriptions: { news: false }, liftsUnsubscribe: false };
    expect(effects).toEqual([['outbox.storePreferences', holder.contact, update, now]]);
  });
});
