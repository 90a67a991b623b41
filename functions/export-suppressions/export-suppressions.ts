import * as z from 'zod/mini';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { appendAuditEntry } from '#shared/audit/audit-store';
import { workBudgetMs } from '#shared/config/work-budget';
import { type SuppressionReason, suppressionReasons } from '#shared/contacts/contact';
import { csvRecord } from '#shared/csv/csv';
import { defineEndpoint, type RequestTo, WithHeaders } from '#shared/endpoints/endpoint';
import { csvFile } from '#shared/http/response-body';
import { importedReasonOf, maxRows } from '#shared/suppressions/import-row';
import {
  readSuppressions,
  type Suppression,
  suppressionPositionSchema,
} from '#shared/suppressions/suppression-list-store';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import type { TableAndClock } from '#shared/table/table-client';

type SuppressionExport = {
  readonly csv: string;
  /** The query of the next file; `undefined` if this one is the last. */
  readonly next: { readonly cursor: string; readonly reason?: SuppressionReason } | undefined;
};

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/suppressions/export',
    access: { key: 'required', scope: 'manage_organization', freshSession: true },
    query: z.strictObject({
      cursor: z.optional(z.string()),
      reason: z.optional(z.enum(suppressionReasons)),
    }),
    answers: {
      200: { body: csvFile, description: 'The file.', headers: ['Content-Disposition', 'Link'] },
    },
    isLimited: true,
    lambda: {
      stack: 'Recipients',
      writesAudit: true,
      tableActions: ['GetItem', 'BatchGetItem'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Suppressions',
      summary: 'Export suppressions as a file',
      description: `CSV with the columns \`email\`, \`reason\`, \`at\` and \`diagnostic\`, newest first, up to ${maxRows} rows a file. A cell that a spreadsheet would run as a formula starts with an apostrophe, which an import removes.

Erased people aren’t in it: their addresses are gone. The audit records who exported.`,
      fields: {
        reason: 'Only suppressions with this reason.',
        cursor: 'From the `Link` header of the previous file.',
      },
      example: { query: { reason: 'bounce' } },
    },
  },
  async (request, service) => {
    const { csv, next } = await exportSuppressions(request, service);
    return new WithHeaders(csv, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="suppressions.csv"',
      ...(next && { Link: linkTo(next) }),
    });
  },
);

/** Below the 6 MB of a Lambda response, whose JSON escapes quotes and line breaks. */
const maxBytes = 2_500_000;

const pageSize = 100;

/** CSV, newest first, in the form that an import takes. The audit entry is stored before the first row is answered. */
export async function exportSuppressions(
  { caller, query: { cursor, reason } }: RequestTo<typeof endpoint>,
  { table, now }: TableAndClock,
): Promise<SuppressionExport> {
  const { organizationId, actor, cursorOwner: owner } = caller;
  const scope = { list: 'suppressions/export', owner, filters: { reason } };
  const deadline = now() + workBudgetMs;
  let csv = csvRecord(['email', 'reason', 'at', 'diagnostic']);
  let bytes = 0;
  let before = unsealCursor(cursor, suppressionPositionSchema, scope);
  if (before === undefined) {
    const change = { action: 'suppressions.exported', target: organizationId, after: { reason } };
    const entry = newAuditEntry(organizationId, actor, change, now());
    await appendAuditEntry(table, entry);
  }
  for (let rows = 0; rows < maxRows; rows += pageSize) {
    const selection = { reason, before, limit: pageSize };
    const { found, next } = await readSuppressions(table, organizationId, selection);
    const records = found.map(recordOf).join('');
    csv += records;
    bytes += Buffer.byteLength(records);
    before = next;
    if (next === undefined || bytes >= maxBytes || now() >= deadline) break;
  }
  const nextCursor = sealCursor(before, scope);
  return {
    csv,
    next: nextCursor === null ? undefined : { ...(reason && { reason }), cursor: nextCursor },
  };
}

function recordOf(suppression: Suppression): string {
  const { email, address, at, diagnostic = '' } = suppression;
  if (email === undefined) return '';
  return csvRecord([
    address ?? email,
    importedReasonOf(suppression),
    new Date(at).toISOString(),
    diagnostic,
  ]);
}

/** RFC 8288: where the next file is. */
const linkTo = (query: Readonly<Record<string, string>>): string =>
  `</api/v1/suppressions/export?${new URLSearchParams(query)}>; rel="next"`;
