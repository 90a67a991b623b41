import * as z from 'zod/mini';
import { auditEntrySchema } from '#shared/audit/audit-entry';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';

/** Query of GET /api/v1/audit. */
export const querySchema = z.strictObject(pageQueryFields);
export type ListAuditEntriesQuery = z.infer<typeof querySchema>;

/** Response 200: newest first. */
export const responseSchema = pageSchema(auditEntrySchema);
