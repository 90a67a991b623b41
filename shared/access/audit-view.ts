import * as z from 'zod/mini';
import { type AuditEntry, auditEntrySchema } from '#shared/audit/audit-entry';
import type { Table } from '#shared/table/table-client';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { readActorNames } from './people-store.ts';

/** An entry as the API, exports and webhooks show it. */
export const auditEntryViewSchema = z.extend(z.omit(auditEntrySchema, { isPerson: true }), {
  person: z.optional(z.string()),
});
export type AuditEntryView = z.output<typeof auditEntryViewSchema>;

export async function toAuditViews(
  table: Table,
  entries: readonly AuditEntry[],
): Promise<AuditEntryView[]> {
  const personOf = await readActorNames(table, entries);
  return entries.map(({ isPerson: _, ...entry }) => ({ ...entry, ...personOf(entry) }));
}

export const auditEntryWords = {
  id: 'The ID of the entry.',
  at: 'When it happened, in epoch milliseconds.',
  actor:
    'The API key that made the change, or the ID of the person in `/api/v1/people`; `operator`; `notice_email`, for somebody who followed a link mailed to the address for notices; `anybody`, for a sign-in link that was asked for with an address; or `issuer`, for what the identity provider says about its people.',
  person:
    'The address of the person who did it, also after they were removed. Absent if it was a program, or somebody with an API key.',
  session: 'The console session in which the key was used, if any. This ID is not a secret.',
  action: 'What happened, for example `api_key.created`.',
  target: 'The ID or key of what was changed.',
  before: 'The changed values, as they were.',
  after: 'The changed values, as they became.',
} as const;

export const exampleAuditEntry = {
  id: exampleIds.auditEntry,
  at: exampleTime,
  actor: exampleIds.apiKey,
  person: 'ann@example.com',
  action: 'api_key.updated',
  target: exampleIds.apiKey,
  before: { perMinuteCap: 60 },
  after: { perMinuteCap: 120 },
} as const;
