import { isKnown } from '#shared/contacts/contact';
import type { RequestTo } from '#shared/endpoints/endpoint';
import type { Surroundings } from '#shared/endpoints/serve';
import { ServiceError } from '#shared/errors/service-error';
import { sourceNetworkOf } from '#shared/http/source-address';
import type { Contacts } from '#shared/preferences/contacts';
import { findContact } from '#shared/preferences/find-contact';
import { type Preferences, preferencesOf } from '#shared/preferences/preferences';
import { organizationIdOf } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

export async function getPreferences(
  { caller, source, query }: RequestTo<typeof endpoint> & Pick<Surroundings, 'source'>,
  contacts: Contacts,
): Promise<Preferences> {
  const network = sourceNetworkOf(source, contacts.proxiesInFront);
  const { contactId } = await findContact({ ...query, caller, network }, 'read', contacts);
  const [contact, categories] = await Promise.all([
    contacts.store.get(contactId),
    contacts.categories.list(organizationIdOf(contactId)),
  ]);
  if (!isKnown(contact)) throw new ServiceError('contact_not_found');
  return preferencesOf(contact, categories);
}
