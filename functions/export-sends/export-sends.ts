import { newAuditEntry } from '#shared/audit/audit-entry';
import type { AuditStore } from '#shared/audit/audit-store';
import { workBudgetMs } from '#shared/config/attempt-time';
import type { RequestTo } from '#shared/endpoints/endpoint';
import {
  listedSendSchema,
  listSends,
  type SendListing,
  withCauses,
} from '#shared/sends/list-sends';
import type { OutcomeCauses } from '#shared/sends/outcome-cause';
import type { endpoint } from './endpoint.ts';
import { sendsHeader, sendsRecords } from './sends-csv.ts';

type SendExporting = SendListing & {
  readonly causes: OutcomeCauses;
  readonly audit: Pick<AuditStore, 'append'>;
};

type SendExport = {
  readonly csv: string;
  /** The query of the next file; `undefined` if this one is the last. */
  readonly next: Readonly<Record<string, string>> | undefined;
};

/** Below the 6 MB of a Lambda response, whose JSON escapes quotes and line breaks. */
const mostBytes = 2_500_000;
const pageSize = 100;

/** CSV, in the list's order. The audit entry is stored before the first row is answered. */
export async function exportSends(
  { caller, query }: RequestTo<typeof endpoint>,
  { causes, audit, ...listing }: SendExporting,
): Promise<SendExport> {
  const { organizationId, actor } = caller;
  const { now } = listing;
  const deadline = now() + workBudgetMs;
  const readPage = async (cursor: string | undefined) => {
    const page = { ...query, cursor, limit: pageSize };
    const { sends, nextCursor } = await listSends({ caller, query: page }, listing, 'export');
    const views = await withCauses(sends, causes, now());
    const records = sendsRecords(views.map((view) => listedSendSchema.parse(view)));
    return { records, next: nextCursor ?? undefined };
  };

  let page = await readPage(query.cursor);
  if (query.cursor === undefined) {
    const after = { filters: Object.keys(query).toSorted() };
    const change = { action: 'sends.exported', target: organizationId, after };
    await audit.append(newAuditEntry(organizationId, actor, change, now()));
  }
  let csv = sendsHeader + page.records;
  let bytes = Buffer.byteLength(csv);
  while (page.next !== undefined && bytes < mostBytes && now() < deadline) {
    page = await readPage(page.next);
    csv += page.records;
    bytes += Buffer.byteLength(page.records);
  }
  const { next: cursor } = page;
  return { csv, next: cursor === undefined ? undefined : { ...queryOf(query), cursor } };
}

type Query = RequestTo<typeof endpoint>['query'];

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
