import * as z from 'zod/mini';
import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import type { ContactListStore } from '#shared/contacts/contact-list-store';
import { openCursor, sealCursor } from '#shared/table/cursor';
import type { ListContactsQuery } from './endpoint.ts';

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
) {
  const { organizationId, cursorOwner: owner } = await authenticateManager(credential, reading);
  const { prefix, limit, cursor } = parse();
  const scope = { list: 'contacts', owner, filters: { prefix } };
  const after = openCursor(cursor, lastAddress, scope);
  const { contacts, next } = await reading.contacts.read(organizationId, { prefix, limit, after });
  return { contacts, nextCursor: sealCursor(next, scope) };
}

/** The address that ended the page before. */
const lastAddress = z.string().check(z.minLength(1));
