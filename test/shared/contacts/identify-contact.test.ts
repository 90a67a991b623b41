import { describe, expect, it } from 'vitest';
import { signContactToken } from '#shared/contacts/contact-token';
import { type ContactQuery, identifyContact } from '#shared/contacts/identify-contact';
import {
  type ContactId,
  contactIdOf,
  feedbackIdOf,
  newOrganizationId,
} from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildContact } from '../../support/contact-builder.ts';
import { fakeContacts } from '../../support/contacts-builder.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const organizationId = newOrganizationId();
const ann = contactIdOf(organizationId, 'ann@example.com');
const annElsewhere = contactIdOf(newOrganizationId(), 'ann@example.com');
const reader = buildApiKey({ organizationId, scopes: ['preferences_read'] });
const stranger = buildApiKey({ scopes: ['preferences_read'] });
const withoutScope = buildApiKey({ organizationId, scopes: ['send_email'] });

const keyring = buildKeyring();
const annsToken = { contactId: ann, feedbackId: feedbackIdOf(newSendId(organizationId)) };
const good = signContactToken(keyring, 'preferences', annsToken);

/** Asks in a world in which the given organizations know Ann. */
const identify = (query: Partial<ContactQuery>, known: readonly ContactId[] = [ann]) =>
  identifyContact(
    { token: undefined, email: undefined, credential: undefined, ...query },
    'preferences_read',
    fakeContacts({
      keyring,
      apiKeys: [reader, stranger, withoutScope].map(({ apiKey }) => apiKey),
      contacts: known.map((id) => buildContact({ id })),
    }).contacts,
  );

describe('identifyContact', () => {
  it.each<[string, Partial<ContactQuery>, boolean]>([
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

  it.each<[string, string, Partial<ContactQuery>]>([
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
});
