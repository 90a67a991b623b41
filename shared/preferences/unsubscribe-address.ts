import { limitContacts } from '#shared/access/limit-day';
import { findContactIds } from '#shared/contacts/contact-store';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { invalidField } from '#shared/errors/service-error';
import type { GivenLimits } from '#shared/organizations/limits-in-force';
import { requireSameDigest } from '#shared/organizations/organization';
import { getOrganization } from '#shared/organizations/organization-store';
import type { Table } from '#shared/table/table-client';
import { inParallel } from '#shared/timing/in-parallel';
import { type ContactId, contactIdOf, organizationIdSchema } from '#shared/tokens/resource-id';
import {
  type ContactReporting,
  unsubscribeContact,
  unsubscribeContactIfThere,
} from './contact-outbox.ts';
import { type ContactAsker, type ContactFinding, contactOfNobody } from './find-contact.ts';
import { admitBareAddress } from './limit-strangers.ts';

/** For requests without a token from an email. */
export type AddressToUnsubscribe = {
  readonly email?: string | undefined;
  readonly organizationId?: string | undefined;
};

/**
 * A key acts for its organization, and may block an address that it never sent to: that counts like an imported one.
 * Without a key, email ends in the organization that is named, or else in every organization that knows the address.
 * Repeating it changes nothing. An unknown address gets the same answer after the same calls, so the caller doesn't
 * learn who is on a list.
 */
export async function unsubscribeAddress(
  { email, organizationId }: AddressToUnsubscribe,
  { caller, network }: ContactAsker,
  service: ContactFinding & ContactReporting & { readonly limitsOfDeployment: GivenLimits },
): Promise<void> {
  const { table, now, limitsOfDeployment } = service;
  const address = parseEmailAddress(email ?? '');
  if (!address.ok) throw invalidField('email', `give a token, or an email: ${address.reason}`);
  const { identity } = address.value;
  if (caller !== undefined) {
    await limitContacts(caller, 1, now(), { table, limitsOfDeployment });
    const contact = { id: contactIdOf(caller.organizationId, identity), email: identity };
    return unsubscribeContact(contact, service);
  }
  await admitBareAddress({ identity, network, access: 'change' }, service);
  const contactIds = await contactsNamedBy(identity, organizationId, table);
  await inParallel(contactIds, concurrency, (id) => unsubscribeContactIfThere(id, service));
}

const concurrency = 16;

async function contactsNamedBy(
  identity: string,
  organizationId: string | undefined,
  table: Table,
): Promise<readonly ContactId[]> {
  if (organizationId === undefined) {
    const known = await findContactIds(table, identity);
    return known.length === 0 ? [contactOfNobody(identity)] : known;
  }
  const id = organizationIdSchema.safeParse(organizationId).data;
  const named = id && (await getOrganization(table, id));
  if (named === undefined) throw invalidField('organizationId', 'no such organization');
  requireSameDigest(named);
  return [contactIdOf(named.id, identity)];
}
