import type { ApiKey } from '#shared/access/api-key';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { invalidField } from '#shared/errors/service-error';
import { inParallel } from '#shared/timing/in-parallel';
import {
  type ContactId,
  contactIdOf,
  organizationIdOf,
  organizationIdSchema,
} from '#shared/tokens/resource-id';
import { admitBareAddress } from './bare-address-limit.ts';
import type { Contacts } from './contacts.ts';
import { contactOfNobody } from './identify-contact.ts';

/** An address to unsubscribe, named without a token from one of its emails. */
export type AddressToUnsubscribe = {
  readonly email?: string | undefined;
  readonly organizationId?: string | undefined;
};

/**
 * Ends bulk email to an address. A key speaks for its organization, which may so refuse an address that it
 * never sent to. Anybody else proves nothing: email ends in the organization that is named, else in every
 * one that knows the address, and no contact is created. Doing it again changes nothing. An unknown address
 * gets the same answer after the same calls, so the caller does not learn who is on a list.
 *
 * @param source the network that the request came from.
 * @throws ServiceError `validation_failed`, `rate_limited`
 */
export async function unsubscribeAddress(
  { email, organizationId }: AddressToUnsubscribe,
  apiKey: ApiKey | undefined,
  source: string,
  contacts: Contacts,
): Promise<void> {
  const address = parseEmailAddress(email ?? '');
  if (!address.ok) throw invalidField('email', `give a token, or an email: ${address.reason}`);
  const { identity } = address.value;
  if (apiKey !== undefined) {
    const contact = { id: contactIdOf(organizationIdOf(apiKey.id), identity), email: identity };
    return contacts.outbox.unsubscribe(contact, contacts.now());
  }
  await admitBareAddress({ identity, source, access: 'change' }, contacts);
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
  const named = organizationIdSchema.safeParse(organizationId).data;
  if (named === undefined || (await organizations.get(named)) === undefined) {
    throw invalidField('organizationId', 'no such organization');
  }
  return [contactIdOf(named, identity)];
}
