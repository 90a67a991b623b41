import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import type { Contact } from '#shared/contacts/contact';
import { toContact } from '#shared/contacts/contact-store';
import { anyOf, is, isAtMost, isNew, onlyIf, updateIf } from '#shared/table/conditional-update';
import { toSeconds } from '#shared/table/expiry';
import { contactKey, importLeaseKey } from '#shared/table/keys';
import { batchGet } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite, writeIf } from '#shared/table/writes';
import { type ContactId, contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import { causeOf, type NewSuppression, namelessCauseOf } from './suppression.ts';
import { suppressAddress, suppressionWrites } from './suppression-store.ts';

/** A transaction takes 100 writes, and a suppression is two: its contact, and the record of its cause. */
export const importedAtOnce = 50;

/** Longer than the function may run: the holder of an expired lease is dead. */
const leaseMs = 35_000;

const leaseSchema = z.object({ heldUntil: z.int() });

/** Another import of the organization is in progress, until `until` at the latest. */
type ImportBeginning =
  | { readonly kind: 'begun' }
  | { readonly kind: 'busy'; readonly until: number };

const toExisting = (item: StoredItem | undefined): Contact | undefined => item && toContact(item);

const importedWrites = (id: ContactId, imported: NewSuppression, isErased: boolean, now: number) =>
  suppressionWrites(
    isErased
      ? { contact: { id }, cause: namelessCauseOf(imported, now) }
      : { contact: { id, email: imported.identity }, cause: causeOf(imported, now) },
    now,
  );

/** Takes the organization's one lease on imports and records the import, before its first suppression is stored. */
export async function beginImport(
  table: Table,
  organizationId: OrganizationId,
  entry: AuditEntry,
  now: number,
): Promise<ImportBeginning> {
  const heldUntil = now + leaseMs;
  const lease: TransactionItem = {
    Put: {
      Item: {
        ...importLeaseKey(organizationId),
        importId: entry.id,
        heldUntil,
        expiresAt: toSeconds(heldUntil),
      },
      ...onlyIf(anyOf(isNew, isAtMost('heldUntil', now))),
    },
  };
  const outcome = await transactWrite(table, [lease, putAuditEntry(entry)]);
  if (outcome.committed) return { kind: 'begun' };
  const existing = leaseSchema.safeParse(outcome.conditions[0]?.item).data;
  return { kind: 'busy', until: existing?.heldUntil ?? heldUntil };
}

/** Does nothing if another import holds the lease by now. */
export async function endImport(
  table: Table,
  organizationId: OrganizationId,
  entry: AuditEntry,
): Promise<void> {
  const release = updateIf(importLeaseKey(organizationId), { set: { heldUntil: 0 } }, [
    is('importId', entry.id),
  ]);
  await writeIf(() => table.client.send(new UpdateCommand({ TableName: table.name, ...release })));
}

/**
 * Takes at most 50, of different contacts. Reads them first, so that repeating an import writes nothing. If one is
 * created in between, each is stored separately.
 *
 * @returns how many are new.
 */
export async function storeImported(
  table: Table,
  organizationId: OrganizationId,
  imported: readonly NewSuppression[],
  now: number,
): Promise<number> {
  const idOf = ({ identity }: NewSuppression) => contactIdOf(organizationId, identity);
  const itemOf = await batchGet(
    table,
    imported.map((one) => contactKey(idOf(one))),
  );
  const existing = (one: NewSuppression) => toExisting(itemOf(contactKey(idOf(one))));
  const isThere = (one: NewSuppression) => {
    const suppressed = existing(one)?.[one.reason];
    return suppressed !== undefined && (one.details?.possible || !suppressed.possible);
  };
  const fresh = imported.filter((one) => !isThere(one));
  if (fresh.length === 0) return 0;

  const writes = fresh.flatMap((one) => {
    const isErased = existing(one)?.erasedAt !== undefined;
    return importedWrites(idOf(one), one, isErased, now);
  });
  const outcome = await transactWrite(table, writes);
  return outcome.committed ? fresh.length : storeEach(table, organizationId, fresh, now);
}

async function storeEach(
  table: Table,
  organizationId: OrganizationId,
  imported: readonly NewSuppression[],
  now: number,
): Promise<number> {
  let stored = 0;
  for (const one of imported) {
    const { outcome } = await suppressAddress(table, organizationId, one, now);
    if (outcome === 'suppressed') stored += 1;
  }
  return stored;
}
