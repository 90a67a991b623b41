import * as z from 'zod/mini';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { appendAuditEntry } from '#shared/audit/audit-store';
import { workBudgetMs } from '#shared/config/work-budget';
import {
  defineEndpoint,
  type RequestTo,
  type Service,
  WithHeaders,
} from '#shared/endpoints/endpoint';
import { csvFile } from '#shared/http/response-body';
import { listedSendSchema, listSends, withCauses } from '#shared/send-history/list-sends';
import { sendFilters, sendFilterWords } from '#shared/send-history/send-filters';
import { sendColumns, sendsHeader, sendsRecords } from './sends-csv.ts';

type SendExport = {
  readonly csv: string;
  /** The query of the next file; `undefined` if this one is the last. */
  readonly next: Readonly<Record<string, string>> | undefined;
};

type Query = RequestTo<typeof endpoint>['query'];

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/sends/export',
    access: {
      key: 'required',
      scope: ['read_sends', 'manage_organization'],
      freshSession: true,
    },
    query: z.strictObject({ cursor: z.optional(z.string()), ...sendFilters }),
    answers: {
      200: { body: csvFile, description: 'The file.', headers: ['Content-Disposition', 'Link'] },
    },
    isLimited: true,
    lambda: {
      stack: 'Recipients',
      writesAudit: true,
      tableActions: ['GetItem', 'BatchGetItem'],
      queriesIndexes: ['gsi1', 'gsi2', 'gsi3', 'gsi4'],
    },
    words: {
      section: 'Sends',
      summary: 'Export sends as a file',
      description: `CSV of the list that \`GET /api/v1/sends\` gives with the same filters, with the columns ${sendColumns.map((name) => `\`${name}\``).join(', ')}. A file has as many rows as fit into some seconds, possibly none: as long as there is a header \`Link\`, it leads to the next one. A cell that a spreadsheet would run as a formula starts with an apostrophe.

The audit records who exported.`,
      fields: {
        ...sendFilterWords,
        cursor: 'From the `Link` header of the previous file.',
      },
      example: { query: { status: 'failed' } },
    },
  },
  async (request, exporting) => {
    const { csv, next } = await exportSends(request, exporting);
    return new WithHeaders(csv, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="emails.csv"',
      ...(next && { Link: linkTo(next) }),
    });
  },
);

/** Below the 6 MB of a Lambda response, whose JSON escapes quotes and line breaks. */
const maxBytes = 2_500_000;

/** Ten reads of 100 emails go side by side. */
const pageSize = 1_000;
/** Even the longest rows of so many fit into a file. */
const leastPage = 20;

/** CSV, in the list's order. The audit entry is stored before the first row is answered. */
export async function exportSends(
  { caller, query }: RequestTo<typeof endpoint>,
  { table, now }: Pick<Service, 'table' | 'now'>,
): Promise<SendExport> {
  const { organizationId, actor } = caller;
  const deadline = now() + workBudgetMs;
  const readPage = async (cursor: string | undefined, limit: number) => {
    const page = { ...query, cursor, limit };
    const { sends, nextCursor } = await listSends(
      { caller, query: page },
      { table, now },
      'export',
    );
    const views = await withCauses(table, sends, now());
    const records = sendsRecords(views.map((view) => listedSendSchema.parse(view)));
    return { records, bytes: Buffer.byteLength(records), next: nextCursor ?? undefined };
  };

  let page = await readPage(query.cursor, pageSize);
  for (let size = pageSize; page.bytes > maxBytes && size > leastPage; ) {
    size = Math.ceil(size / 4);
    page = await readPage(query.cursor, size);
  }
  if (query.cursor === undefined) {
    const after = { filters: Object.keys(query).toSorted() };
    const change = { action: 'sends.exported', target: organizationId, after };
    await appendAuditEntry(table, newAuditEntry(organizationId, actor, change, now()));
  }
  let csv = sendsHeader + page.records;
  let { bytes, next } = page;
  while (next !== undefined && bytes < maxBytes && now() < deadline) {
    page = await readPage(next, pageSize);
    bytes += page.bytes;
    // The next file begins with it.
    if (bytes > maxBytes) break;
    csv += page.records;
    next = page.next;
  }
  return { csv, next: next === undefined ? undefined : { ...queryOf(query), cursor: next } };
}

/** As it's written in an address. */
function queryOf({ cursor: _, to, from, until, outcome, tag, ...texts }: Query) {
  const written = {
    ...texts,
    to: to?.address,
    from: from?.toString(),
    until: until?.toString(),
    outcome: outcome?.join(),
    tag: tag?.join(':'),
  };
  return Object.fromEntries(
    Object.entries(written).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );
}

/** RFC 8288: where the next file is. */
const linkTo = (query: Readonly<Record<string, string>>): string =>
  `</api/v1/sends/export?${new URLSearchParams(query)}>; rel="next"`;
