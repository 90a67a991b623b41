import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import type { ImportedSuppression } from '#shared/suppressions/import-row';
import {
  importedAtOnce,
  type SuppressionImportStore,
} from '#shared/suppressions/suppression-import-store';
import { inParallel } from '#shared/timing/in-parallel';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { ImportSuppressionsQuery } from './endpoint.ts';
import { type RefusedRow, readImport } from './read-import.ts';

export type SuppressionImport = Authentication & {
  readonly imports: SuppressionImportStore;
  readonly sleep: (ms: number) => Promise<unknown>;
};

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
const concurrency = 4;
/**
 * What an import stores a second. A row is some eight write units, with its index entries, and a new table takes 4,000
 * a second: most of them stay for the sends of everybody.
 */
export const rowsPerSecond = 200;

/**
 * Suppresses the addresses of a file, each with its reason and time. Nothing of a file is stored that has too many
 * rows. A row that cannot be read is refused by itself.
 *
 * Order of effects: the lease on the organization's one import with the note of who imports how much, then the
 * suppressions, 50 at a time, then the lease goes back. Each is stored unless it is there, so repeating a request that
 * ended half-way completes it. One whose process died holds the others up until its lease is over.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `unsupported_content_type`,
 *   `import_in_progress`
 */
export async function importSuppressions(
  { credential, parse, readBody }: ImportSuppressionsCommand,
  { imports, sleep, ...authentication }: SuppressionImport,
): Promise<ImportResult> {
  const { organizationId, actor } = await authenticateManager(credential, authentication);
  const { reason } = parse();
  const startedAt = authentication.now();
  const { suppressions, repeated, refused } = readImport(readBody(), reason, startedAt);
  const after = { rows: suppressions.length + repeated, refused: refused.length };
  const change = { action: 'suppressions.imported', target: organizationId, after };
  const entry = newAuditEntry(organizationId, actor, change, startedAt);
  const beginning = await imports.begin(organizationId, entry, startedAt);
  if (beginning.kind === 'busy') throw inProgress(beginning.until, authentication.now());
  try {
    const stored = await storeAll(organizationId, suppressions, startedAt, {
      store: imports.store,
      now: authentication.now,
      sleep,
    });
    return { ...stored, unchanged: stored.unchanged + repeated, refused };
  } finally {
    // A lease that stays is over by itself, and what was imported is.
    await imports.end(organizationId, entry).catch(() => {});
  }
}

/** Stores the rows group by group at the pace of an import, until the time is over. */
async function storeAll(
  organizationId: OrganizationId,
  suppressions: readonly ImportedSuppression[],
  startedAt: number,
  { store, now: readClock, sleep }: Pick<SuppressionImportStore, 'store'> & Pacing,
) {
  const deadline = startedAt + budgetMs;
  let imported = 0;
  let unchanged = 0;
  let isComplete = true;
  await inParallel(groupsOf(suppressions), concurrency, async (group) => {
    // Rows that are there already cost no write, and are passed over at once.
    const early = startedAt + (imported / rowsPerSecond) * 1_000 - readClock();
    if (early > 0) await sleep(early);
    const now = readClock();
    if (now >= deadline) {
      isComplete = false;
      return;
    }
    const stored = await store(organizationId, group, now);
    imported += stored;
    unchanged += group.length - stored;
  });
  return { imported, unchanged, isComplete };
}

type Pacing = Pick<SuppressionImport, 'now' | 'sleep'>;

const inProgress = (until: number, now: number): ServiceError =>
  new ServiceError(
    'import_in_progress',
    'Another import of this organization is under way. Wait for Retry-After, then repeat the request.',
    { retryAfterSeconds: secondsUntil(until, now) },
  );

/** Groups in which no address stands twice: a transaction writes an item once. */
function groupsOf(suppressions: readonly ImportedSuppression[]): ImportedSuppression[][] {
  const byReason = Map.groupBy(suppressions, ({ reason }) => reason);
  return [...byReason.values()].flatMap((ofReason) =>
    Array.from({ length: Math.ceil(ofReason.length / importedAtOnce) }, (_, index) =>
      ofReason.slice(index * importedAtOnce, (index + 1) * importedAtOnce),
    ),
  );
}
