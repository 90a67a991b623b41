import { type DayQuotas, limitContacts } from '#shared/access/limit-day';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { workBudgetMs } from '#shared/config/attempt-time';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import { type ImportedSuppression, rowsPerSecond } from '#shared/suppressions/import-row';
import {
  importedAtOnce,
  type SuppressionImportStore,
} from '#shared/suppressions/suppression-import-store';
import { inParallel } from '#shared/timing/in-parallel';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';
import { readImport } from './read-import.ts';

export type SuppressionImport = DayQuotas & {
  readonly now: () => number;
  readonly imports: SuppressionImportStore;
  readonly sleep: (ms: number) => Promise<unknown>;
};

const concurrency = 4;

/**
 * A file with too many rows is refused whole; an unreadable row is refused alone.
 *
 * Order of effects: the lease on the organization's one import, with the audit entry; the suppressions, 50 at a time;
 * the end of the lease. Existing suppressions stay, so repeating a request that ended half-way completes it. An import
 * whose process died blocks others until its lease expires.
 */
export async function importSuppressions(
  { caller, query: { reason }, body }: RequestTo<typeof endpoint>,
  { now, imports, sleep, ...quotas }: SuppressionImport,
) {
  const { organizationId, actor } = caller;
  const startedAt = now();
  const { suppressions, repeated, refused } = readImport(body, reason, startedAt);
  const after = { rows: suppressions.length + repeated, refused: refused.length };
  const change = { action: 'suppressions.imported', target: organizationId, after };
  const entry = newAuditEntry(organizationId, actor, change, startedAt);
  const added = suppressions.length;
  await limitContacts(caller, added, startedAt, quotas);
  const beginning = await imports.begin(organizationId, entry, startedAt);
  if (beginning.kind === 'busy') {
    await quotas.dayQuotas.giveBack(organizationId, 'CONTACTS', added, startedAt).catch(() => {});
    const retryAfterSeconds = secondsUntil(beginning.until, now());
    throw new ServiceError('import_in_progress', undefined, { retryAfterSeconds });
  }
  try {
    const pacing = { store: imports.store, now, sleep };
    const stored = await storeAll(organizationId, suppressions, startedAt, pacing);
    return { ...stored, unchanged: stored.unchanged + repeated, refused };
  } finally {
    // An unreleased lease expires, and the imported rows are stored anyway.
    await imports.end(organizationId, entry).catch(() => {});
  }
}

/** Stores groups at an import's pace until time is up. */
async function storeAll(
  organizationId: OrganizationId,
  suppressions: readonly ImportedSuppression[],
  startedAt: number,
  { store, now: readClock, sleep }: Pick<SuppressionImportStore, 'store'> & Pacing,
) {
  const deadline = startedAt + workBudgetMs;
  let imported = 0;
  let unchanged = 0;
  let isComplete = true;
  await inParallel(groupsOf(suppressions), concurrency, async (group) => {
    // Existing rows cost no write, so they don't wait.
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

/** Each address once per group: a transaction writes an item only once. */
function groupsOf(suppressions: readonly ImportedSuppression[]): ImportedSuppression[][] {
  const byReason = Map.groupBy(suppressions, ({ reason }) => reason);
  return [...byReason.values()].flatMap((ofReason) =>
    Array.from({ length: Math.ceil(ofReason.length / importedAtOnce) }, (_, index) =>
      ofReason.slice(index * importedAtOnce, (index + 1) * importedAtOnce),
    ),
  );
}
