import { newAuditEntry } from '#shared/audit/audit-entry';
import type { ImportedSuppression } from '#shared/contacts/import-row';
import type { SuppressionImportStore } from '#shared/contacts/suppression-import-store';
import { importedAtOnce } from '#shared/contacts/suppression-import-store';
import type { Authentication } from '#shared/organizations/authenticate-caller';
import { authenticateManager } from '#shared/organizations/authenticate-manager';
import { inParallel } from '#shared/timing/in-parallel';
import { type RefusedRow, readImport } from './read-import.ts';
import type { ImportSuppressionsQuery } from './schema.ts';

export type SuppressionImport = Authentication & { readonly imports: SuppressionImportStore };

export type ImportSuppressionsCommand = {
  readonly credential: string | undefined;
  /** Both are called once the caller is known. */
  readonly parse: () => ImportSuppressionsQuery;
  readonly readBody: () => string;
};

export type ImportResult = {
  readonly imported: number;
  readonly unchanged: number;
  readonly refused: readonly RefusedRow[];
  readonly isComplete: boolean;
};

/** How long a request goes on to further rows. HTTP API ends a request after 30 seconds. */
export const budgetMs = 20_000;
const concurrency = 8;

/**
 * Suppresses the addresses of a file, each with its reason and time. Nothing of a file is stored that has too many
 * rows. A row that cannot be read is refused by itself.
 *
 * Order of effects: the note of who imports how much, then the suppressions, 50 at a time. Each is stored unless it
 * is there, so repeating a request that ended half-way completes it.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `unsupported_content_type`
 */
export async function importSuppressions(
  { credential, parse, readBody }: ImportSuppressionsCommand,
  { imports, ...authentication }: SuppressionImport,
): Promise<ImportResult> {
  const { organizationId, actor } = await authenticateManager(credential, authentication);
  const { reason } = parse();
  const startedAt = authentication.now();
  const { suppressions, repeated, refused } = readImport(readBody(), reason, startedAt);
  const after = { rows: suppressions.length + repeated, refused: refused.length };
  const change = { action: 'suppressions.imported', target: organizationId, after };
  await imports.note(newAuditEntry(organizationId, actor, change, startedAt));

  const deadline = startedAt + budgetMs;
  let imported = 0;
  let unchanged = repeated;
  let isComplete = true;
  await inParallel(groupsOf(suppressions), concurrency, async (group) => {
    const now = authentication.now();
    if (now >= deadline) {
      isComplete = false;
      return;
    }
    const stored = await imports.store(organizationId, group, now);
    imported += stored;
    unchanged += group.length - stored;
  });
  return { imported, unchanged, refused, isComplete };
}

/** Groups in which no address stands twice: a transaction writes an item once. */
function groupsOf(suppressions: readonly ImportedSuppression[]): ImportedSuppression[][] {
  const byReason = Map.groupBy(suppressions, ({ reason }) => reason);
  return [...byReason.values()].flatMap((ofReason) =>
    Array.from({ length: Math.ceil(ofReason.length / importedAtOnce) }, (_, index) =>
      ofReason.slice(index * importedAtOnce, (index + 1) * importedAtOnce),
    ),
  );
}
