import * as z from 'zod/mini';
import type { ContactListStore } from '#shared/contacts/contact-list-store';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { openCursor, sealCursor } from '#shared/table/cursor';
import type { endpoint } from './endpoint.ts';

export async function listContacts(
  { caller, query: { prefix, limit, cursor } }: RequestTo<typeof endpoint>,
  { contacts: store }: { readonly contacts: Pick<ContactListStore, 'read'> },
) {
  const scope = { list: 'contacts', owner: caller.cursorOwner, filters: { prefix } };
  const after = openCursor(cursor, lastAddress, scope);
  const { contacts, next } = await store.read(caller.organizationId, { prefix, limit, after });
  return { contacts, nextCursor: sealCursor(next, scope) };
}

const lastAddress = z.string().check(z.minLength(1));
