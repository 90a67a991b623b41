import * as z from 'zod/mini';
import { batchGet } from '#shared/table/batch-get';
import { idempotencyKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { type IdempotencyRecord, idempotencyRecordSchema } from './idempotency.ts';

/** Reads what an idempotency key was used for, unless it is forgotten at `now`, epoch milliseconds. */
export async function findIdempotencyRecord(
  table: Table,
  organizationId: OrganizationId,
  key: string,
  now: number,
): Promise<IdempotencyRecord | undefined> {
  const itemKey = idempotencyKey(organizationId, key);
  const item = (await batchGet(table, [itemKey]))(itemKey);
  const isForgotten = z
    .object({ expiresAt: z.int().check(z.lt(Math.floor(now / 1000))) })
    .safeParse(item);
  return item === undefined || isForgotten.success
    ? undefined
    : idempotencyRecordSchema.parse(item);
}
