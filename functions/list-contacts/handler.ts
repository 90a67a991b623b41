import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { openContactListStore } from '#shared/contacts/contact-list-store';
import { serve } from '#shared/endpoints/serve';
import { openCursor, sealCursor } from '#shared/table/cursor';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  { contacts: openContactListStore },
  async ({ caller, query: { prefix, limit, cursor } }, { contacts: store }) => {
    const scope = { list: 'contacts', owner: caller.cursorOwner, filters: { prefix } };
    const after = openCursor(cursor, lastAddress, scope);
    const { contacts, next } = await store.read(caller.organizationId, { prefix, limit, after });
    const data = contacts.map((contact) => ({
      ...contact,
      suppressedFor: suppressionReasons.filter((reason) => contact[reason] !== undefined),
    }));
    return { data, nextCursor: sealCursor(next, scope) };
  },
);

const lastAddress = z.string().check(z.minLength(1));
