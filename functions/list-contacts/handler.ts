import { suppressionReasons } from '#shared/contacts/contact';
import { openContactListStore } from '#shared/contacts/contact-list-store';
import { serve } from '#shared/endpoints/serve';
import { endpoint } from './endpoint.ts';
import { listContacts } from './list-contacts.ts';

export const handler = serve(
  endpoint,
  { contacts: openContactListStore },
  async (request, reading) => {
    const { contacts, nextCursor } = await listContacts(request, reading);
    const data = contacts.map((contact) => ({
      ...contact,
      suppressedFor: suppressionReasons.filter((reason) => contact[reason] !== undefined),
    }));
    return { data, nextCursor };
  },
);
