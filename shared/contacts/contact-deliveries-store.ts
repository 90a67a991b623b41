import { contactKey } from '#shared/table/contact-keys';
import { queryAll } from '#shared/table/query-all';
import type { Table } from '#shared/table/table-client';
import { inParallel } from '#shared/timing/in-parallel';
import type { ContactId } from '#shared/tokens/resource-id';
import { eraseFromRow } from './row-erasure-store.ts';

const concurrency = 16;

/**
 * Erases a person's address (`EmailAddress.identity`) from what stands beside the contact: its webhook
 * deliveries, and what caused its suppressions.
 */
export async function anonymiseContactDeliveries(
  table: Table,
  contactId: ContactId,
  identity: string,
): Promise<void> {
  const { pk, sk: contact } = contactKey(contactId);
  const rows = (await queryAll(table, { pk })).filter(({ sk }) => sk !== contact);
  await inParallel(rows, concurrency, (row) => eraseFromRow(table, row, { identity }));
}

export const openContactDeliveriesStore = (table: Table) => ({
  anonymise: (contactId: ContactId, identity: string) =>
    anonymiseContactDeliveries(table, contactId, identity),
});
export type ContactDeliveriesStore = ReturnType<typeof openContactDeliveriesStore>;
