import type { Caller } from '#shared/access/admit-caller';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import { inParallel } from '#shared/timing/in-parallel';
import {
  type ContactId,
  contactIdOf,
  newOrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import { readContactToken } from './contact-token.ts';
import type { Contacts } from './contacts.ts';
import { admitBareAddress } from './limit-strangers.ts';

export type ContactAsker = {
  readonly caller: Caller | undefined;
  readonly network: string;
};

type ContactQuery = ContactAsker & {
  readonly token?: string | undefined;
  readonly email?: string | undefined;
};

export type IdentifiedContact = {
  readonly contactId: ContactId;
  /** Identified by a token or a key. A bare address proves nothing: anyone may know it. */
  readonly isProven: boolean;
};

/**
 * A token wins over an address. A key confines both to its organization. An address alone counts against its hourly
 * limit, and works only if exactly one of the organizations that know it accepts that.
 */
export async function findContact(
  { caller, network, ...query }: ContactQuery,
  access: 'read' | 'change',
  contacts: Contacts,
): Promise<IdentifiedContact> {
  const keyOrganization = caller?.organizationId;
  if (query.token !== undefined) {
    const token = readContactToken(await contacts.keyring(), 'preferences', query.token);
    const contactId = token?.contactId;
    const isForeign =
      contactId !== undefined &&
      keyOrganization !== undefined &&
      organizationIdOf(contactId) !== keyOrganization;
    if (contactId === undefined || isForeign) throw new ServiceError('contact_not_found');
    return ofExistingOrganization({ contactId, isProven: true }, contacts);
  }
  if (query.email === undefined) {
    throw invalidField('token', 'give a token or an email to name the contact');
  }
  const address = parseEmailAddress(query.email);
  if (!address.ok) throw invalidField('email', address.reason);

  const { identity } = address.value;
  if (keyOrganization !== undefined) {
    return { contactId: contactIdOf(keyOrganization, identity), isProven: true };
  }
  await admitBareAddress({ identity, network, access }, contacts);
  return { contactId: await onlyContactOf(identity, contacts), isProven: false };
}

async function ofExistingOrganization(
  identified: IdentifiedContact,
  { organizations }: Contacts,
): Promise<IdentifiedContact> {
  const organization = await organizations.get(organizationIdOf(identified.contactId));
  if (organization === undefined) throw new ServiceError('contact_not_found');
  return identified;
}

/**
 * An unknown address gets the same answer, after the same calls, as one whose organization is gone or requires a token.
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
  if (known.length === 0 || contactId === undefined) throw new ServiceError('contact_not_found');
  if (others.length === 0) return contactId;
  throw new ServiceError('ambiguous_contact');
}

const concurrency = 16;

/** A dummy, so that an unknown address takes as long as a known one. */
export const contactOfNobody = (identity: string): ContactId =>
  contactIdOf(newOrganizationId(), identity);
