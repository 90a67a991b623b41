import { contactKey } from '#shared/table/contact-keys';
import { queryAll } from '#shared/table/query-all';
import type { Table } from '#shared/table/table-client';
import type { ContactId } from '#shared/tokens/resource-id';
import { eraseFromRows } from './row-erasure-store.ts';

export const openContactDeliveriesStore = (table: Table) => ({
  /**
   * Erases a person's address (`EmailAddress.identity`) from what stands beside the contact: its webhook
   * deliveries, and what caused its suppressions.
   */
  async anonymise(contactId: ContactId, identity: string): Promise<void> {
    const { pk, sk: contact } = contactKey(contactId);
    const readRows = async () => (await queryAll(table, { pk })).filter(({ sk }) => sk !== contact);
    await eraseFromRows(table, readRows, { identities: [identity] });
  },
});
export type ContactDeliveriesStore = ReturnType<typeof openContactDeliveriesStore>;
