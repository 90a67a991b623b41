import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { suppressionReasons } from '#shared/contacts/contact';
import { openContactListStore } from '#shared/contacts/contact-list-store';
import { serve } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listContacts } from './list-contacts.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  ...openAuthentication(table),
  contacts: openContactListStore(table),
};

export const handler = serve(endpoint, reading, async (request) => {
  const { contacts, nextCursor } = await listContacts(request, reading);
  const data = contacts.map((contact) => ({
    ...contact,
    suppressedFor: suppressionReasons.filter((reason) => contact[reason] !== undefined),
  }));
  return { data, nextCursor };
});
