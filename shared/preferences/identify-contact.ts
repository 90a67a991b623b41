import type { ApiKey } from '#shared/access/api-key';
import { authenticateCaller } from '#shared/access/authenticate';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import { inParallel } from '#shared/timing/in-parallel';
import {
  type ContactId,
  contactIdOf,
  newOrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import { admitBareAddress } from './bare-address-limit.ts';
import { readContactToken } from './contact-token.ts';
import type { Contacts } from './contacts.ts';

/** The contact that a caller of the preferences endpoints means. */
export type ContactNames = {
  readonly token?: string | undefined;
  readonly email?: string | undefined;
};
export type ContactQuery = {
  readonly credential: string | undefined;
  /** The network that the request came from. */
  readonly source: string;
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
  { credential, source, parse }: ContactQuery,
  access: PreferencesAccess,
  contacts: Contacts,
): Promise<IdentifiedContact> {
  const apiKey = await authenticateCaller(credential, scopes[access], contacts);
  return findContact({ ...parse(), source }, apiKey, access, contacts);
}

/**
 * Finds the contact that is meant. A token wins over an address. A key confines both to its organization.
 * An address alone is counted, and must be known to one organization only that lets it speak.
 *
 * @throws ServiceError `validation_failed`, `rate_limited`, `ambiguous_contact`, `contact_not_found`
 */
export async function findContact(
  query: ContactNames & Pick<ContactQuery, 'source'>,
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
  await admitBareAddress({ identity, source: query.source, access }, contacts);
  return { contactId: await onlyContactOf(identity, contacts), isProven: false };
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

/**
 * The one contact of an address in an organization that lets a bare address speak. An address that nobody knows gets the
 * same answer after the same calls as one whose organization is gone or wants a token.
 */
async function onlyContactOf(identity: string, contacts: Contacts): Promise<ContactId> {
  const known = await contacts.store.findIds(identity);
  const ids = known.length === 0 ? [contactOfNobody(identity)] : known;
  const open: ContactId[] = [];
  await inParallel(ids, concurrency, async (id) => {
    const organization = await contacts.organizations.get(organizationIdOf(id));
    const isOpen = organization?.preferencesByAddress ?? contacts.preferencesByAddress;
    if (organization !== undefined && isOpen) open.push(id);
  });
  const [contactId, ...others] = open;
  if (known.length === 0 || contactId === undefined) throw contactNotFound();
  if (others.length === 0) return contactId;
  throw new ServiceError(
    'ambiguous_contact',
    'Several organizations know this address. Use an API key or a token to say which one is meant.',
  );
}

const concurrency = 16;

/** Stands for an address that nobody knows, so that it takes as long as one that is known. */
export const contactOfNobody = (identity: string): ContactId =>
  contactIdOf(newOrganizationId(), identity);

export const contactNotFound = (): ServiceError =>
  new ServiceError('contact_not_found', 'There is no such contact, or the token is not valid.');
