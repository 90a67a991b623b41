import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import { batchGet } from '#shared/table/batch-get';
import { contactKey } from '#shared/table/contact-keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/transact-write';
import { type ContactId, contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import type { Contact } from './contact.ts';
import { toContact } from './contact-store.ts';
import type { ImportedSuppression } from './import-row.ts';
import { suppressionRecordOf } from './suppression.ts';
import { suppressContact, suppression, withoutPerson } from './suppression-store.ts';

/** A transaction takes 100 writes, and a suppression is two: its contact, and the record of its cause. */
export const importedAtOnce = 50;

/** Notes an import before its first suppression is stored. */
export async function noteImport(table: Table, entry: AuditEntry): Promise<void> {
  await transactWrite(table, [putAuditEntry(table, entry)]);
}

/**
 * Stores up to 50 suppressions, each of another contact. Those that are there stay as they are. They are read
 * first, so that an import that is repeated reads and writes nothing; if one is made in the meantime, each is
 * stored by itself.
 *
 * @returns how many were not there before.
 */
export async function importSuppressions(
  table: Table,
  organizationId: OrganizationId,
  imported: readonly ImportedSuppression[],
  now: number,
): Promise<number> {
  const idOf = ({ identity }: ImportedSuppression) => contactIdOf(organizationId, identity);
  const itemOf = await batchGet(
    table,
    imported.map((one) => contactKey(idOf(one))),
  );
  const standing = (one: ImportedSuppression) => toStanding(itemOf(contactKey(idOf(one))));
  const isThere = (one: ImportedSuppression) => {
    const suppressed = standing(one)?.[one.reason];
    return suppressed !== undefined && (one.details.possible || !suppressed.possible);
  };
  const fresh = imported.filter((one) => !isThere(one));
  if (fresh.length === 0) return 0;

  const writes = fresh.flatMap((one) => {
    const isErased = standing(one)?.erasedAt !== undefined;
    const { update, put } = suppressionWrites(table, idOf(one), one, isErased, now);
    return [update, put];
  });
  const outcome = await transactWrite(table, writes);
  return outcome.committed ? fresh.length : storeEach(table, organizationId, fresh, now);
}

const toStanding = (item: StoredItem | undefined): Contact | undefined => item && toContact(item);

function suppressionWrites(
  table: Table,
  id: ContactId,
  { identity, reason, details }: ImportedSuppression,
  isErased: boolean,
  now: number,
) {
  const contact = isErased ? { id } : { id, email: identity };
  const record = isErased
    ? withoutPerson(identity, details, now)
    : suppressionRecordOf(identity, details, now);
  return suppression(table, contact, reason, now, { record });
}

async function storeEach(
  table: Table,
  organizationId: OrganizationId,
  imported: readonly ImportedSuppression[],
  now: number,
): Promise<number> {
  let stored = 0;
  for (const { identity, reason, details } of imported) {
    const outcome = await suppressContact(table, organizationId, identity, reason, now, details);
    if (outcome === 'suppressed') stored += 1;
  }
  return stored;
}

export const openSuppressionImportStore = (table: Table) => ({
  note: (entry: AuditEntry) => noteImport(table, entry),
  store: (organizationId: OrganizationId, imported: readonly ImportedSuppression[], now: number) =>
    importSuppressions(table, organizationId, imported, now),
});
export type SuppressionImportStore = ReturnType<typeof openSuppressionImportStore>;
