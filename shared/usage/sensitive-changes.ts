import * as z from 'zod/mini';
import type { Notice } from '#shared/notices/notice';
import { sensitiveEntrySchema, sensitiveNotice } from '#shared/notices/sensitive-change';
import { auditPartition, organizationOfPartition } from '#shared/table/keys';
import { changeSchema } from './stream-record.ts';

/**
 * The notice due for a new audit entry, if any. The entry is stored with its change, so the stream has it however the
 * request ended.
 */
export function sensitiveNoticeIn(record: unknown): Notice | undefined {
  const change = changeSchema.safeParse(record).data?.dynamodb;
  if (change === undefined || change.OldImage !== undefined) return undefined;
  const organizationId = organizationOfPartition(change.Keys.pk.S);
  if (organizationId === undefined || change.Keys.pk.S !== auditPartition(organizationId)) {
    return undefined;
  }
  const entry = sensitiveEntrySchema.safeParse(plain({ M: change.NewImage ?? {} })).data;
  return entry && sensitiveNotice(entry);
}

const valueSchema = z.union([
  z.object({ S: z.string() }),
  z.object({ N: z.string() }),
  z.object({ BOOL: z.boolean() }),
  z.object({ NULL: z.literal(true) }),
  z.object({ L: z.array(z.unknown()) }),
  z.object({ M: z.record(z.string(), z.unknown()) }),
]);

/** A value of the stream in its stored form. */
function plain(image: unknown): unknown {
  const value = valueSchema.safeParse(image).data;
  if (value === undefined || 'NULL' in value) return null;
  if ('S' in value) return value.S;
  if ('N' in value) return Number(value.N);
  if ('BOOL' in value) return value.BOOL;
  if ('L' in value) return value.L.map(plain);
  return Object.fromEntries(Object.entries(value.M).map(([name, part]) => [name, plain(part)]));
}
