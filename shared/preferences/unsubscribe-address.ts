import { type DayQuotas, limitContacts } from '#shared/access/limit-day';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { invalidField } from '#shared/errors/service-error';
import { requireSameDigest } from '#shared/organizations/organization';
import { inParallel } from '#shared/timing/in-parallel';
import { type ContactId, contactIdOf, organizationIdSchema } from '#shared/tokens/resource-id';
import type { Contacts } from './contacts.ts';
import { type ContactAsker, contactOfNobody } from './find-contact.ts';
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
  contacts: Contacts & DayQuotas,
): Promise<void> {
  const address = parseEmailAddress(email ?? '');
  if (!address.ok) throw invalidField('email', `give a token, or an email: ${address.reason}`);
  const { identity } = address.value;
  if (caller !== undefined) {
    await limitContacts(caller, 1, contacts.now(), contacts);
    const contact = { id: contactIdOf(caller.organizationId, identity), email: identity };
    return contacts.outbox.unsubscribe(contact, contacts.now());
  }
  await admitBareAddress({ identity, network, access: 'change' }, contacts);
  const contactIds = await contactsNamedBy(identity, organizationId, contacts);
  await inParallel(contactIds, concurrency, (id) =>
    contacts.outbox.unsubscribeIfThere(id, contacts.now()),
  );
}

const concurrency = 16;

async function contactsNamedBy(
  identity: string,
  organizationId: string | undefined,
  { organizations, store }: Contacts,
): Promise<readonly ContactId[]> {
  if (organizationId === undefined) {
    const known = await store.findIds(identity);
    return known.length === 0 ? [contactOfNobody(identity)] : known;
  }
  const id = organizationIdSchema.safeParse(organizationId).data;
  const named = id && (await organizations.get(id));
  if (named === undefined) throw invalidField('organizationId', 'no such organization');
  requireSameDigest(named);
  return [contactIdOf(named.id, identity)];
}
