import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openContactListStore } from '#shared/contacts/contact-list-store';
import { openRequestLog } from '#shared/observability/request-log';
import { openTable } from '#shared/table/table-client';
import { indexContacts } from './index-contacts.ts';
import { tableStreamEventSchema } from './schema.ts';

const contacts = openContactListStore(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

/** Throws when anything could not be stored. Lambda then gives the same records again. */
export async function handler(event: unknown, context: { awsRequestId: string }): Promise<void> {
  const log = openRequestLog({ requestId: context.awsRequestId });
  const batch = tableStreamEventSchema.parse(event);
  try {
    await indexContacts(batch, contacts);
  } catch (error) {
    log.error('contacts not indexed', error, { records: batch.Records.length });
    // Lambda logs what is thrown, and an error's message may quote what it choked on.
    throw new Error('contacts not indexed');
  }
}
