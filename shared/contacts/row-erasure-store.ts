import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { nothingElse } from '#shared/errors/nothing-else';
import {
  type AttributeChange,
  changedAttributes,
  changesNothing,
} from '#shared/table/attribute-change';
import { exists, isAsRead, updateIf } from '#shared/table/conditional-update';
import { deliverySortKeyPrefix } from '#shared/table/delivery-keys';
import { contactKey } from '#shared/table/keys';
import { queryAll } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import { inParallel } from '#shared/timing/in-parallel';
import type { ContactId } from '#shared/tokens/resource-id';
import { deliverySchema } from '#shared/webhook-deliveries/delivery';
import { withoutAddress, withoutAddressInJson } from './erased-address.ts';

export type RowErasure = {
  /** `EmailAddress.identity` of each person. */
  readonly identities: readonly string[];
  /** Epoch seconds, unless the rows expire earlier. */
  readonly expiresAt?: number | undefined;
};

/**
 * A row is an event, a further message, or a delivery with its attempt log. A delivery not yet attempted goes out
 * without the address; one that expires doesn't go out at all.
 *
 * Reports and attempts may change a row at any moment, so the write requires the values as read.
 *
 * @returns whether the row was written.
 */
async function eraseFromRow(table: Table, row: StoredItem, erasure: RowErasure): Promise<boolean> {
  let existing: StoredItem | undefined = row;
  while (existing !== undefined) {
    const { pk, sk, change } = erasedRow(existing, erasure);
    if (changesNothing(change)) return false;
    const asRead = isAsRead(existing, Object.keys(change.set));
    const command = new UpdateCommand({
      TableName: table.name,
      ...updateIf({ pk, sk }, change, [exists, ...asRead]),
    });
    const outcome = await writeIf(() => table.client.send(command));
    if (outcome.written) return true;
    existing = outcome.existing;
  }
  return false;
}

/**
 * @returns whether any row was written. If so, read the rows again: one may have been copied, as by a redelivery,
 *   before its original was erased.
 */
export async function eraseFromRows(
  table: Table,
  rows: readonly StoredItem[],
  erasure: RowErasure,
): Promise<boolean> {
  let wasWritten = false;
  await inParallel(rows, concurrency, async (row) => {
    if (await eraseFromRow(table, row, erasure)) wasWritten = true;
  });
  return wasWritten;
}

const concurrency = 16;

const rowSchema = z.looseObject({
  pk: z.string(),
  sk: z.string(),
  expiresAt: z.optional(z.int()),
  /** The place of a waiting delivery in the due index. */
  gsi1pk: z.optional(z.string()),
});
const bodySchema = z.pick(deliverySchema, { body: true });

function erasedRow(row: StoredItem, { identities, expiresAt }: RowErasure) {
  const { pk, sk, gsi1pk, expiresAt: oldExpiry, ...facts } = rowSchema.parse(row);
  const isDelivery = sk.startsWith(deliverySortKeyPrefix);
  const shown = isDelivery
    ? deliveryWithoutAddresses(row, identities)
    : withoutAddresses(facts, identities);
  const expires = expiresAt !== undefined && oldExpiry !== undefined && expiresAt < oldExpiry;
  const leavesDueIndex = expiresAt !== undefined && isDelivery && gsi1pk !== undefined;
  const change: AttributeChange = {
    set: { ...changedAttributes(row, shown), ...(expires && { expiresAt }) },
    remove: leavesDueIndex ? ['gsi1pk', 'gsi1sk'] : [],
  };
  return { pk, sk, change };
}

/** Attributes of a delivery that may name a person. A new one doesn't compile until somebody decides. */
const mayName = {
  body: true,
  // The receiver's answers, which may quote the address.
  attempts: true,
} as const;
const namesNobody = {
  id: true,
  webhookId: true,
  messageId: true,
  type: true,
  status: true,
  attemptsStarted: true,
  dueAt: true,
  leaseExpiresAt: true,
  failureReason: true,
  redeliveryOf: true,
  redeliveredAs: true,
  createdAt: true,
  updatedAt: true,
  expiresAt: true,
} as const;
nothingElse(z.omit(z.omit(deliverySchema, mayName), namesNobody).shape);

function deliveryWithoutAddresses(row: StoredItem, identities: readonly string[]): StoredItem {
  const { body } = bodySchema.parse(row);
  return {
    body: identities.reduce(withoutAddressInJson, body),
    ...withoutAddresses({ attempts: row['attempts'] }, identities),
  };
}

const withoutAddresses = (attributes: StoredItem, identities: readonly string[]): StoredItem =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      identities.reduce<unknown>(withoutAddress, value),
    ]),
  );

/** Erases from webhook deliveries and the records of suppressions' causes. By `EmailAddress.identity`. */
export async function anonymiseContactRows(
  table: Table,
  contactId: ContactId,
  identity: string,
): Promise<void> {
  const { pk, sk: contact } = contactKey(contactId);
  let rows: readonly StoredItem[];
  do {
    rows = (await queryAll(table, { pk })).filter(({ sk }) => sk !== contact);
  } while (await eraseFromRows(table, rows, { identities: [identity] }));
}
