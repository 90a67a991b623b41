import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { signContactToken } from '#shared/preferences/contact-token';
import { type ContactNames, identifyContact } from '#shared/preferences/identify-contact';
import {
  type ContactId,
  contactIdOf,
  feedbackIdOf,
  newOrganizationId,
  type OrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildContact } from '../../support/contact-builder.ts';
import { contactsNow, fakeContacts } from '../../support/contacts-builder.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

type Asked = ContactNames & { readonly credential?: string };

const organizationId = newOrganizationId();
const ann = contactIdOf(organizationId, 'ann@example.com');
const annElsewhere = contactIdOf(newOrganizationId(), 'ann@example.com');
const reader = buildApiKey({ organizationId, scopes: ['preferences_read'] });
const stranger = buildApiKey({ scopes: ['preferences_read'] });
const manager = buildApiKey({ organizationId, scopes: ['preferences_manage'] });
const withoutScope = buildApiKey({ organizationId, scopes: ['send_email'] });

const keyring = buildKeyring();
const source = '203.0.113.7';
const annsToken = { contactId: ann, feedbackId: feedbackIdOf(newSendId(organizationId)) };
const good = signContactToken(keyring, 'preferences', annsToken);

/** A world in which the given organizations know Ann. The test expects no count unless it gives one. */
const buildWorld = (known: readonly ContactId[], bareRequests?: number) =>
  fakeContacts({
    keyring,
    apiKeys: [reader, stranger, withoutScope, manager].map(({ apiKey }) => apiKey),
    contacts: known.map((id) => buildContact({ id })),
    ...(bareRequests !== undefined && { bareRequests }),
  });

const identify = ({ credential, ...names }: Asked, known: readonly ContactId[] = [ann]) =>
  identifyContact(
    { credential, source, parse: () => names },
    'read',
    buildWorld(known, 1).contacts,
  );

/** Asks in order to change something. */
function identifyToChange({ credential, ...names }: Asked, bareRequests?: number) {
  const { contacts, effects } = buildWorld([ann], bareRequests);
  const run = () => identifyContact({ credential, source, parse: () => names }, 'change', contacts);
  return { run, effects };
}

describe('identifyContact', () => {
  it.each([{ token: good }, { email: 'ann@example.com' }])(
    'finds no contact of an organization that was deleted by %o',
    async (query) => {
      const contacts = [buildContact({ id: ann })];
      const world = fakeContacts({ keyring, contacts, organizations: [], bareRequests: 1 });
      const run = () =>
        identifyContact(
          { parse: () => query, credential: undefined, source },
          'read',
          world.contacts,
        );

      expect((await serviceErrorOf(run)).code).toBe('contact_not_found');
    },
  );

  it.each<[string, Asked, boolean]>([
    ['a token', { token: good }, true],
    ['a token with a key of the same organization', { token: good, credential: reader.text }, true],
    ['a token before an address', { token: good, email: 'bob@example.com' }, true],
    ['an address with a key', { email: 'Ann@Example.com', credential: reader.text }, true],
    ['an address that one organization knows', { email: ' Ann@EXAMPLE.com' }, false],
  ])('finds the contact by %s', async (_by, query, isProven) => {
    expect(await identify(query)).toEqual({ contactId: ann, isProven });
  });

  it('finds the contact in the organization of the key, even if others know the address', async () => {
    const query = { email: 'ann@example.com', credential: reader.text };

    expect(await identify(query, [annElsewhere])).toMatchObject({ contactId: ann });
  });

  it.each<[string, string, Asked]>([
    ['contact_not_found', 'a token that is not ours', { token: 'forged' }],
    [
      'contact_not_found',
      'a token of another purpose',
      { token: signContactToken(keyring, 'unsubscribe', annsToken) },
    ],
    ['contact_not_found', 'an empty token', { token: '', email: 'ann@example.com' }],
    [
      'contact_not_found',
      'a token of another organization than the key',
      { token: good, credential: stranger.text },
    ],
    ['contact_not_found', 'an address that nobody knows', { email: 'bob@example.com' }],
    ['validation_failed', 'neither token nor address', {}],
    ['validation_failed', 'neither, with a key', { credential: reader.text }],
    ['validation_failed', 'a text that is no address', { email: 'ann' }],
    ['invalid_api_key', 'a malformed key', { token: good, credential: 'nonsense' }],
    ['invalid_api_key', 'an unknown key', { token: good, credential: buildApiKey().text }],
    ['missing_scope', 'a key without the scope', { token: good, credential: withoutScope.text }],
  ])('answers %s to %s', async (code, _what, query) => {
    const error = await serviceErrorOf(() => identify(query));

    expect(error.code).toBe(code);
  });

  it('does not choose between several organizations that know the address', async () => {
    const error = await serviceErrorOf(() =>
      identify({ email: 'ann@example.com' }, [ann, annElsewhere]),
    );

    expect(error.code).toBe('ambiguous_contact');
  });

  it.each<[string, Asked]>([
    ['an address that is known', { email: 'Ann@example.com' }],
    ['an address that nobody knows', { email: 'bob@example.com' }],
  ])('counts a change by %s before it looks the address up', async (_what, query) => {
    const { run, effects } = identifyToChange(query, 11);

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3_200 });
    expect(effects).toEqual([['bareAddresses.count', query.email?.toLowerCase(), contactsNow]]);
  });

  it('admits ten changes an hour by an address', async () => {
    const { run } = identifyToChange({ email: 'ann@example.com' }, 10);

    expect(await run()).toEqual({ contactId: ann, isProven: false });
  });

  it.each<[string, Asked]>([
    ['a token', { token: good }],
    ['a key', { email: 'ann@example.com', credential: manager.text }],
  ])('does not count a change by %s', async (_by, query) => {
    const { run, effects } = identifyToChange(query);

    expect(await run()).toEqual({ contactId: ann, isProven: true });
    expect(effects).toEqual([]);
  });

  it('asks a change for the scope to manage preferences', async () => {
    const { run } = identifyToChange({ email: 'ann@example.com', credential: reader.text });

    expect((await serviceErrorOf(run)).code).toBe('missing_scope');
  });

  it('counts a read by an address before it looks the address up, and not with a token', async () => {
    const { contacts, effects } = buildWorld([ann], 11);
    const ask = (names: object) =>
      identifyContact({ credential: undefined, source, parse: () => names }, 'read', contacts);

    const refused = await serviceErrorOf(() => ask({ email: 'Ann@example.com' }));
    const admitted = await ask({ token: good });

    expect(refused.code).toBe('rate_limited');
    expect(admitted).toEqual({ contactId: ann, isProven: true });
    expect(effects).toEqual([['bareAddresses.count', 'read ann@example.com', contactsNow]]);
  });
});

describe('an organization that lets no bare address speak', () => {
  const closed = buildOrganization({ id: organizationId, preferencesByAddress: false });
  const elsewhere = buildOrganization({ id: organizationIdOf(annElsewhere) });

  /** Asks by Ann's address. Her contacts are in the organizations that are given. */
  function ask(organizations: readonly Organization[], preferencesByAddress = true) {
    const asked: string[] = [];
    const { contacts } = fakeContacts({
      organizations,
      contacts: organizations.map(({ id }) =>
        buildContact({ id: contactIdOf(id, 'ann@example.com') }),
      ),
      bareRequests: 1,
      preferencesByAddress,
    });
    const get = async (id: OrganizationId) => {
      asked.push(id);
      return contacts.organizations.get(id);
    };
    const run = () =>
      identifyContact(
        { credential: undefined, source, parse: () => ({ email: 'ann@example.com' }) },
        'read',
        { ...contacts, organizations: { ...contacts.organizations, get } },
      );
    return { run, asked };
  }

  it('answers as if nobody knew the address, after the same calls', async () => {
    const [known, unknown] = [ask([closed]), ask([])];

    const [one, other] = [await serviceErrorOf(known.run), await serviceErrorOf(unknown.run)];

    expect(one.code).toBe('contact_not_found');
    expect(other.message).toBe(one.message);
    expect([known.asked.length, unknown.asked.length]).toEqual([1, 1]);
  });

  it('makes no other organization ambiguous', async () => {
    expect(await ask([closed, elsewhere]).run()).toEqual({
      contactId: annElsewhere,
      isProven: false,
    });
  });

  it('may let it speak where the deployment does not', async () => {
    const open = buildOrganization({ id: organizationId, preferencesByAddress: true });

    expect((await serviceErrorOf(ask([elsewhere], false).run)).code).toBe('contact_not_found');
    expect(await ask([open, elsewhere], false).run()).toMatchObject({ contactId: ann });
  });
});
