import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { newAuditEntry } from '#shared/audit/audit-entry';
import type { AuditStore } from '#shared/audit/audit-store';
import type { SuppressionReason } from '#shared/contacts/contact';
import { csvRecord } from '#shared/csv/write-csv';
import { importedReasonOf } from '#shared/suppressions/import-row';
import {
  type Suppression,
  type SuppressionListStore,
  suppressionPositionSchema,
} from '#shared/suppressions/suppression-list-store';
import { readSuppressions } from '#shared/suppressions/suppression-search';
import { openCursor, sealCursor } from '#shared/table/cursor';
import type { ExportSuppressionsQuery } from './endpoint.ts';

export type SuppressionExport = {
  readonly csv: string;
  /** The query of the next file; `undefined` if this one is the last. */
  readonly next: { readonly cursor: string; readonly reason?: SuppressionReason } | undefined;
};

/** A file holds what an import takes, and stays below the 6 MB of a Lambda response. */
const mostRows = 10_000;
const mostCharacters = 2_500_000;
/** How long a request goes on to further rows. HTTP API ends a request after 30 seconds. */
const budgetMs = 20_000;
const pageSize = 100;

/**
 * Writes the suppressions of the key's organization as CSV, newest first, as an import takes them. The audit says who
 * began an export before anybody gets a row of it.
 *
 * @param parse reads the query, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`
 */
export async function exportSuppressions(
  credential: string | undefined,
  parse: () => ExportSuppressionsQuery,
  reading: Authentication & {
    readonly suppressions: SuppressionListStore;
    readonly audit: Pick<AuditStore, 'append'>;
  },
): Promise<SuppressionExport> {
  const manager = await authenticateManager(credential, reading);
  const { organizationId, actor, cursorOwner: owner } = manager;
  const { cursor, reason } = parse();
  const scope = { list: 'suppressions/export', owner, filters: { reason } };
  const deadline = reading.now() + budgetMs;
  let csv = csvRecord(['email', 'reason', 'at', 'diagnostic']);
  let before = openCursor(cursor, suppressionPositionSchema, scope);
  if (before === undefined) {
    const change = { action: 'suppressions.exported', target: organizationId, after: { reason } };
    await reading.audit.append(newAuditEntry(organizationId, actor, change, reading.now()));
  }
  for (let rows = 0; rows < mostRows; rows += pageSize) {
    const selection = { reason, before, limit: pageSize };
    const { found, next } = await readSuppressions(organizationId, selection, reading.suppressions);
    csv += found.map(recordOf).join('');
    before = next;
    if (next === undefined || csv.length >= mostCharacters || reading.now() >= deadline) break;
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
