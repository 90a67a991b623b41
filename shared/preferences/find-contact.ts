import type { Caller } from '#shared/access/admit-caller';
import { findContactIds } from '#shared/contacts/contact-store';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import { getOrganization } from '#shared/organizations/organization-store';
import type { TableAndClock } from '#shared/table/table-client';
import { inParallel } from '#shared/timing/in-parallel';
import {
  type ContactId,
  contactIdOf,
  newOrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import type { Keyring } from '#shared/tokens/signed-token';
import { readContactToken } from './contact-token.ts';
import { admitBareAddress, type knowsStrangerRules } from './limit-strangers.ts';

export type ContactFinding = TableAndClock & {
  readonly keyring: () => Promise<Keyring>;
  readonly strangers: ReturnType<(typeof knowsStrangerRules)['open']>;
};

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
  finding: ContactFinding,
): Promise<IdentifiedContact> {
  const keyOrganization = caller?.organizationId;
  if (query.token !== undefined) {
    const token = readContactToken(await finding.keyring(), 'preferences', query.token);
    const contactId = token?.contactId;
    const isForeign =
      contactId !== undefined &&
      keyOrganization !== undefined &&
      organizationIdOf(contactId) !== keyOrganization;
    if (contactId === undefined || isForeign) throw new ServiceError('contact_not_found');
    const organization = await getOrganization(finding.table, organizationIdOf(contactId));
    if (organization === undefined) throw new ServiceError('contact_not_found');
    return { contactId, isProven: true };
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
  await admitBareAddress({ identity, network, access }, finding);
  return { contactId: await onlyContactOf(identity, finding), isProven: false };
}

/**
 * An unknown address gets the same answer, after the same calls, as one whose organization is gone or requires a token.
 */
async function onlyContactOf(
  identity: string,
  { table, strangers }: ContactFinding,
): Promise<ContactId> {
  const known = await findContactIds(table, identity);
  const ids = known.length === 0 ? [contactOfNobody(identity)] : known;
  const open: ContactId[] = [];
  await inParallel(ids, concurrency, async (id) => {
    const organization = await getOrganization(table, organizationIdOf(id));
    const isOpen = organization?.preferencesByAddress ?? strangers.preferencesByAddress;
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
