import type { ContactListStore, ContactPage } from '#shared/contacts/contact-list-store';
import type { Authentication } from '#shared/organizations/authenticate-caller';
import { authenticateManager } from '#shared/organizations/authenticate-manager';
import type { ListContactsQuery } from './schema.ts';

/**
 * Lists the contacts of the key's organization by address.
 *
 * @param parse reads the query, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`
 */
export async function listContacts(
  credential: string | undefined,
  parse: () => ListContactsQuery,
  reading: Authentication & { readonly contacts: Pick<ContactListStore, 'read'> },
): Promise<ContactPage> {
  const { organizationId } = await authenticateManager(credential, reading);
  const { prefix, limit, cursor: after } = parse();
  return reading.contacts.read(organizationId, { prefix, limit, after });
}
