import * as z from 'zod/mini';
import { type AuditEntryView, toAuditViews } from '#shared/access/audit-view';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { appendAuditEntry, auditPositionSchema, listAuditEntries } from '#shared/audit/audit-store';
import { workBudgetMs } from '#shared/config/work-budget';
import { csvRecord } from '#shared/csv/csv';
import { auditFilters, auditFilterWords, personIdOf } from '#shared/endpoints/audit-query';
import { defineEndpoint, type RequestTo, WithHeaders } from '#shared/endpoints/endpoint';
import { csvFile } from '#shared/http/response-body';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import type { TableAndClock } from '#shared/table/table-client';

type AuditExport = {
  readonly csv: string;
  /** The query of the next file; `undefined` if this one is the last. */
  readonly next: { readonly cursor: string; readonly person?: string } | undefined;
};

const valuesText = (values: AuditEntryView['after']): string =>
  values === undefined ? '' : JSON.stringify(values);

const columns = {
  id: ({ id }) => id,
  at: ({ at }) => new Date(at).toISOString(),
  action: ({ action }) => action,
  target: ({ target }) => target,
  actor: ({ actor }) => actor,
  person: ({ person = '' }) => person,
  session: ({ session = '' }) => session,
  before: ({ before }) => valuesText(before),
  after: ({ after }) => valuesText(after),
} as const satisfies Record<string, (entry: AuditEntryView) => string>;

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/audit/export',
    access: { key: 'required', scope: 'manage_organization', freshSession: true },
    query: z.strictObject({ cursor: z.optional(z.string()), ...auditFilters }),
    answers: {
      200: { body: csvFile, description: 'The file.', headers: ['Content-Disposition', 'Link'] },
    },
    errors: ['validation_failed'],
    isLimited: true,
    lambda: {
      stack: 'Account',
      writesAudit: true,
      tableActions: ['GetItem', 'BatchGetItem', 'Query'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Organization',
      summary: 'Export the audit as a file',
      description: `CSV of the list that \`GET /api/v1/audit\` gives, newest first, with the columns ${Object.keys(
        columns,
      )
        .map((name) => `\`${name}\``)
        .join(
          ', ',
        )}; the last two are JSON. As long as there is a header \`Link\`, it leads to the next file. A cell that a spreadsheet would run as a formula starts with an apostrophe.

The audit records who exported.`,
      fields: { ...auditFilterWords, cursor: 'From the `Link` header of the previous file.' },
      example: { query: { person: 'ann@example.com' } },
    },
  },
  async (request, service) => {
    const { csv, next } = await exportAuditEntries(request, service);
    return new WithHeaders(csv, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="audit.csv"',
      ...(next && { Link: linkTo(next) }),
    });
  },
);

/** Below the 6 MB of a Lambda response, whose JSON escapes quotes and line breaks. */
const maxBytes = 2_000_000;

const pageSize = 100;

/** With the byte order mark that tells spreadsheets it's UTF-8. */
const header = `\ufeff${csvRecord(Object.keys(columns))}`;

const recordOf = (entry: AuditEntryView): string =>
  csvRecord(Object.values(columns).map((cell) => cell(entry)));

/** Its own entry is stored before the first row is answered, so it's in the file. */
export async function exportAuditEntries(
  { caller, query }: RequestTo<typeof endpoint>,
  { table, now }: TableAndClock,
): Promise<AuditExport> {
  const { organizationId, actor, cursorOwner: owner } = caller;
  const person = personIdOf(organizationId, query.person);
  const scope = { list: 'audit/export', owner, filters: { person } };
  const deadline = now() + workBudgetMs;
  let before = unsealCursor(query.cursor, auditPositionSchema, scope);
  if (before === undefined) {
    const change = { action: 'audit.exported', target: organizationId, after: { person } };
    await appendAuditEntry(table, newAuditEntry(organizationId, actor, change, now()));
  }
  let csv = header;
  let bytes = Buffer.byteLength(csv);
  do {
    const range = { before, limit: pageSize, person };
    const { entries, next } = await listAuditEntries(table, organizationId, range, now());
    const views = await toAuditViews(table, entries);
    const records = views.map(recordOf).join('');
    csv += records;
    bytes += Buffer.byteLength(records);
    before = next;
  } while (before !== undefined && bytes < maxBytes && now() < deadline);
  const cursor = sealCursor(before, scope);
  return { csv, next: cursor === null ? undefined : { ...(person && { person }), cursor } };
}

/** RFC 8288: where the next file is. */
const linkTo = (query: Readonly<Record<string, string>>): string =>
  `</api/v1/audit/export?${new URLSearchParams(query)}>; rel="next"`;
