import { describe, expect, it } from 'vitest';
import type { KnownContact } from '#shared/contacts/contact';
import { signContactToken } from '#shared/preferences/contact-token';
import type { Category } from '#shared/preferences/preferences';
import type { TokenHolder } from '#shared/sends/token-holder';
import { unsubscribe } from '../../../functions/unsubscribe/unsubscribe.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildContact, buildErasedContact } from '../../support/contact-builder.ts';
import {
  fakeContacts,
  contactsNow as now,
  someSource as source,
} from '../../support/contacts-builder.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTokenHolder } from '../../support/token-holder-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const keyring = buildKeyring();

const fieldsOf = (names: Record<string, string>) => new URLSearchParams(names);

/** A request without a key. */
const asking = (
  query: { readonly token?: string | undefined; readonly everything?: 'true' | undefined },
  readFields: () => Promise<URLSearchParams>,
) => ({ query, credential: undefined, source, readFields });

type Request = {
  /** `good` stands for a token of the holder. */
  readonly token?: 'good' | 'forged';
  readonly email?: string;
  readonly holder?: TokenHolder;
  readonly everything?: 'true';
  readonly categories?: readonly Category[];
};

/** Unsubscribes in a world of one contact, the holder of a token. */
function prepare({
  token,
  email,
  holder = buildTokenHolder(),
  everything,
  categories = [{ key: 'offers', name: 'Offers' }],
}: Request) {
  const { contacts, effects } = fakeContacts({
    keyring,
    organizations: [holder.organization],
    contacts: [holder.contact],
    categories,
    bareRequests: 1,
  });
  const text = token === 'good' ? signContactToken(keyring, 'unsubscribe', holder.token) : token;
  const run = () =>
    unsubscribe(
      asking({ token: text, everything }, async () => fieldsOf({ ...(email && { email }) })),
      contacts,
    );
  return { run, effects, holder };
}

describe('unsubscribe', () => {
  it("unsubscribes the token's holder, and returns who that is", async () => {
    const { run, effects, holder } = prepare({ token: 'good' });

    expect(await run()).toMatchObject({ contact: holder.contact, opensPreferences: false });
    expect(effects).toEqual([['outbox.unsubscribe', holder.contact, now]]);
  });

  it('unsubscribes an erased person, and stores no address', async () => {
    const { contact, ...known } = buildTokenHolder();
    const erased = { ...known, contact: buildErasedContact({ id: contact.id }) };
    const { run, effects } = prepare({ token: 'good', holder: erased });

    expect(await run()).toMatchObject({ contact: erased.contact });
    expect(effects).toEqual([['outbox.unsubscribe', erased.contact, now]]);
    expect(erased.contact).not.toHaveProperty('email');
  });

  it('has nothing to do when the sender was deleted, and still succeeds', async () => {
    const { contact, token } = buildTokenHolder();
    const { contacts, effects } = fakeContacts({ keyring, organizations: [], contacts: [contact] });
    const text = signContactToken(keyring, 'unsubscribe', token);
    const read = unexpected('reading of the body');

    const outcome = await unsubscribe(asking({ token: text }, read), contacts);

    expect(outcome).toBe('sender gone');
    expect(effects).toEqual([]);
  });

  describe("with a category's token", () => {
    const buildHolder = (contact: Partial<KnownContact> = {}, erased = false) => {
      const holder = buildTokenHolder();
      const build = erased ? buildErasedContact : buildContact;
      return {
        ...holder,
        token: { ...holder.token, categoryKey: 'offers' },
        contact: build({ id: holder.contact.id, ...contact }),
      };
    };
    const leaving = { subscriptions: { offers: false }, liftsUnsubscribe: false };

    it.each([
      ['a subscribed person', buildHolder()],
      ['a person who has left everything', buildHolder({ unsubscribe: { at: 1 } })],
      ['an erased person', buildHolder({}, true)],
    ])('unsubscribes only from that category, for %s', async (_who, holder) => {
      const { run, effects } = prepare({ token: 'good', holder });

      expect(await run()).toMatchObject({ category: { key: 'offers', name: 'Offers' } });
      expect(effects).toEqual([['outbox.storePreferences', holder.contact, leaving, now]]);
    });

    it('writes and reports nothing the second time', async () => {
      const holder = buildHolder({ subscriptions: { offers: false } });
      const { run, effects } = prepare({ token: 'good', holder });

      expect(await run()).toMatchObject({ category: { key: 'offers' } });
      expect(effects).toEqual([]);
    });

    it.each([
      ['asked to', { everything: 'true' } as const],
      ['the category was deleted', { categories: [] }],
    ])('unsubscribes from all bulk email if %s', async (_why, asked) => {
      const holder = buildHolder();
      const { run, effects } = prepare({ token: 'good', holder, ...asked });

      expect(await run()).toMatchObject({ category: undefined });
      expect(effects).toEqual([['outbox.unsubscribe', holder.contact, now]]);
    });
  });

  it('unsubscribes from a paused organization', async () => {
    const holder = buildTokenHolder({ organization: buildOrganization({ paused: true }) });
    const { run, effects } = prepare({ token: 'good', holder });

    await run();

    expect(effects).toEqual([['outbox.unsubscribe', holder.contact, now]]);
  });

  it('unsubscribes a bare address, and reveals nothing about it', async () => {
    const { run, effects, holder } = prepare({ email: 'Ann@example.com' });

    expect(await run()).toBeUndefined();
    expect(effects).toEqual([
      ['bareAddresses.count', 'ann@example.com', now],
      ['outbox.unsubscribeIfThere', holder.contact.id, now],
    ]);
  });

  it("doesn't fall back to the address if the token is invalid", async () => {
    const { run, effects } = prepare({ token: 'forged', email: 'ann@example.com' });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('contact_not_found');
    expect(effects).toEqual([]);
  });

  it("doesn't read the body of a caller with an invalid key", async () => {
    const { contacts } = fakeContacts({ keyring, apiKeys: [] });
    const request = {
      ...asking({}, unexpected('reading of the body')),
      credential: buildApiKey().text,
    };

    const error = await serviceErrorOf(() => unsubscribe(request, contacts));

    expect(error.code).toBe('invalid_api_key');
  });

  it("doesn't read the body when the URL has a token", async () => {
    const holder = buildTokenHolder();
    const { contacts } = fakeContacts({
      keyring,
      contacts: [holder.contact],
      organizations: [holder.organization],
    });
    const token = signContactToken(keyring, 'unsubscribe', holder.token);
    const read = unexpected('reading of the body');

    const found = await unsubscribe(asking({ token }, read), contacts);

    expect(found).toMatchObject({ contact: holder.contact });
  });

  it('accepts the token in the body too', async () => {
    const holder = buildTokenHolder();
    const { contacts, effects } = fakeContacts({
      keyring,
      contacts: [holder.contact],
      organizations: [holder.organization],
    });
    const token = signContactToken(keyring, 'unsubscribe', holder.token);

    await unsubscribe(
      asking({}, async () => fieldsOf({ token })),
      contacts,
    );

    expect(effects).toEqual([['outbox.unsubscribe', holder.contact, now]]);
  });

  it('requires a token or an address', async () => {
    const { run, effects } = prepare({});

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('validation_failed');
    expect(effects).toEqual([]);
  });
});
