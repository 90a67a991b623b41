import { invalidField, ServiceError } from '#shared/errors/service-error';
import type { ApiKey } from '#shared/organizations/api-key';
import { authenticateCaller } from '#shared/organizations/authenticate-caller';
import { type ContactId, contactIdOf, organizationIdOf } from '#shared/tokens/resource-id';
import { admitBareAddress } from './bare-address-limit.ts';
import { readContactToken } from './contact-token.ts';
import type { Contacts } from './contacts.ts';
import { parseEmailAddress } from './email-address.ts';

/** The contact that a caller of the preferences endpoints means. */
export type ContactNames = {
  readonly token?: string | undefined;
  readonly email?: string | undefined;
};
export type ContactQuery = {
  readonly credential: string | undefined;
  /** Reads who is meant. It is called once the caller is known. */
  readonly parse: () => ContactNames;
};

export type IdentifiedContact = {
  readonly contactId: ContactId;
  /** Whether a token or a key proves it. A bare address proves nothing: anybody may know it. */
  readonly isProven: boolean;
};

/** What a caller wants of the preferences. */
export type PreferencesAccess = 'read' | 'change';

const scopes = { read: 'preferences_read', change: 'preferences_manage' } as const;

/**
 * Admits the caller of a preferences request and finds the contact that is meant.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `rate_limited`,
 *   `ambiguous_contact`, `contact_not_found`
 */
export async function identifyContact(
  { credential, parse }: ContactQuery,
  access: PreferencesAccess,
  contacts: Contacts,
): Promise<IdentifiedContact> {
  const apiKey = await authenticateCaller(credential, scopes[access], contacts);
  return findContact(parse(), apiKey, access, contacts);
}

/**
 * Finds the contact that is meant. A token wins over an address. A key confines both to its organization.
 * An address alone must be known to one organization only, and its changes are counted.
 *
 * @throws ServiceError `validation_failed`, `rate_limited`, `ambiguous_contact`, `contact_not_found`
 */
export async function findContact(
  query: ContactNames,
  apiKey: ApiKey | undefined,
  access: PreferencesAccess,
  contacts: Contacts,
): Promise<IdentifiedContact> {
  const keyOrganization = apiKey && organizationIdOf(apiKey.id);
  if (query.token !== undefined) {
    const token = readContactToken(await contacts.keyring(), 'preferences', query.token);
    const contactId = token?.contactId;
    const isForeign =
      contactId !== undefined &&
      keyOrganization !== undefined &&
      organizationIdOf(contactId) !== keyOrganization;
    if (contactId === undefined || isForeign) throw contactNotFound();
    return ofStandingOrganization({ contactId, isProven: true }, contacts);
  }
  if (query.email === undefined) {
    throw invalidField('token', 'give a token or an email to say whose preferences are meant');
  }
  const address = parseEmailAddress(query.email);
  if (!address.ok) throw invalidField('email', address.reason);

  const { identity } = address.value;
  if (keyOrganization !== undefined) {
    return { contactId: contactIdOf(keyOrganization, identity), isProven: true };
  }
  if (access === 'change') await admitBareAddress(identity, contacts);
  const contactId = await onlyContactOf(identity, contacts);
  return ofStandingOrganization({ contactId, isProven: false }, contacts);
}

/** A contact outlives its organization for a while, and is nobody's then. A key is refused by itself. */
async function ofStandingOrganization(
  identified: IdentifiedContact,
  { organizations }: Contacts,
): Promise<IdentifiedContact> {
  const organization = await organizations.get(organizationIdOf(identified.contactId));
  if (organization === undefined) throw contactNotFound();
  return identified;
}

async function onlyContactOf(identity: string, { store }: Contacts): Promise<ContactId> {
  const [contactId, ...others] = await store.findIds(identity);
  if (contactId === undefined) throw contactNotFound();
  if (others.length === 0) return contactId;
  throw new ServiceError(
    'ambiguous_contact',
    'Several organizations know this address. Use an API key or a token to say which one is meant.',
  );
}

export const contactNotFound = (): ServiceError =>
  new ServiceError('contact_not_found', 'There is no such contact, or the token is not valid.');
