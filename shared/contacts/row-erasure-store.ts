import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  type AttributeChange,
  changedAttributes,
  changesNothing,
  updateExpressionOf,
} from '#shared/table/attribute-change';
import { writeIf } from '#shared/table/condition-failure';
import { deliverySortKeyPrefix } from '#shared/table/delivery-keys';
import { retryConflicts } from '#shared/table/retry-conflicts';
import type { StoredItem, Table } from '#shared/table/table-client';
import { withoutAddress, withoutAddressInJson } from './erased-address.ts';

/** What is erased from the rows of a send or contact. */
export type RowErasure = {
  /** `EmailAddress.identity` */
  readonly identity: string;
  /** When the rows expire, epoch seconds, unless they expire earlier. */
  readonly expiresAt?: number | undefined;
};

/**
 * Erases a person's address from a row of a send or contact: an event, a further message, a delivery.
 * A row that does not hold the address is not written. A delivery that is not attempted yet goes out
 * without the address. A delivery that expires does not go out at all.
 */
export async function eraseFromRow(
  table: Table,
  row: StoredItem,
  erasure: RowErasure,
): Promise<void> {
  const { pk, sk, change } = erasedRow(row, erasure);
  if (changesNothing(change)) return;
  const update = new UpdateCommand({
    TableName: table.name,
    Key: { pk, sk },
    ConditionExpression: isThere,
    ...updateExpressionOf(change),
  });
  await writeIf(() => retryConflicts(() => table.client.send(update)));
}

const isThere = 'attribute_exists(pk)';

const rowSchema = z.looseObject({
  pk: z.string(),
  sk: z.string(),
  expiresAt: z.optional(z.int()),
  /** The place of a waiting delivery in the index of due deliveries. */
  gsi1pk: z.optional(z.string()),
});
const deliverySchema = z.object({ body: z.string() });

function erasedRow(row: StoredItem, { identity, expiresAt }: RowErasure) {
  const { pk, sk, gsi1pk, expiresAt: oldExpiry = Infinity, ...facts } = rowSchema.parse(row);
  const isDelivery = sk.startsWith(deliverySortKeyPrefix);
  const shown = isDelivery ? bodyWithoutAddress(row, identity) : withoutAddressIn(facts, identity);
  const expires = expiresAt !== undefined && expiresAt < oldExpiry;
  const leavesDueIndex = expiresAt !== undefined && isDelivery && gsi1pk !== undefined;
  const change: AttributeChange = {
    set: { ...changedAttributes(row, shown), ...(expires && { expiresAt }) },
    remove: leavesDueIndex ? ['gsi1pk', 'gsi1sk'] : [],
  };
  return { pk, sk, change };
}

/**
 * Only the body of a delivery changes. A process that attempts the delivery may write its log of attempts
 * at any moment.
 */
function bodyWithoutAddress(row: StoredItem, identity: string): StoredItem {
  const { body } = deliverySchema.parse(row);
  return { body: withoutAddressInJson(body, identity) };
}

const withoutAddressIn = (attributes: StoredItem, identity: string): StoredItem =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, withoutAddress(value, identity)]),
  );
