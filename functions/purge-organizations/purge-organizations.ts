import { capability } from '#shared/aws/capability';
import { bucketEnvironment } from '#shared/config/environment';
import { defineFunction } from '#shared/endpoints/background-function';
import type { RequestLog } from '#shared/observability/request-log';
import {
  deleteDeletionMark,
  deletePurge,
  deletePurged,
  getPurge,
  leftBy,
  listOrganizationsDeletedBefore,
  type Purge,
  putPurge,
  readPurgePage,
} from '#shared/organizations/purge-store';
import { contentKinds } from '#shared/stored-content/content-lifetimes';
import { type ContentStore, openContentStore } from '#shared/stored-content/content-store';
import type { Table, TableAndClock } from '#shared/table/table-client';
import { inParallel } from '#shared/timing/in-parallel';

/** Until then, sends that started before the deletion may still store contacts. */
const settledAfterMs = 3_600_000;
const timeoutSeconds = 600;
/** No page starts in the second half. */
const beginWithinMs = (timeoutSeconds / 2) * 1_000;
/** Deletions at a time: 16 of some 5 ms are 3,000 a second, below what a new table takes. */
const concurrency = 16;

const purgesContents = /* @__PURE__ */ capability(
  {
    environment: bucketEnvironment,
    contents: { waiting: ['Delete', 'List'], kept: ['Delete', 'List'] },
  },
  openContentStore,
);

export const backgroundFunction = defineFunction(
  {
    trigger: 'schedule',
    uses: { contents: purgesContents },
    lambda: {
      tableActions: ['GetItem', 'PutItem', 'DeleteItem', 'Scan'],
      queriesIndexes: ['gsi2'],
      timeoutSeconds,
    },
  },
  purgeOrganizations,
);

export type Purging = TableAndClock & {
  readonly contents: Pick<ContentStore, 'removeSome'>;
};

/**
 * Removes the contents of emails first, then items that don't expire: contacts, templates, keys, categories, webhooks,
 * usage. One pass through the whole table covers all organizations deleted by then; its position is stored, so the next
 * run continues where a dead one stopped. The deletions' marks go last, so an organization without a mark has left
 * nothing behind.
 *
 * @returns how many items this run removed.
 */
export async function purgeOrganizations(
  { table, now, contents }: Purging,
  log: RequestLog,
): Promise<number> {
  const endsAt = now() + beginWithinMs;
  let removed = 0;
  let purge = (await getPurge(table)) ?? (await beginPurge(table, now()));
  if (purge !== undefined && !(await removeContents(purge, endsAt, now, contents))) return removed;
  while (purge !== undefined && now() < endsAt) {
    const { organizationIds, passed } = purge;
    const { places, next } = await readPurgePage(table, passed);
    const left = places.filter((place) => {
      const owner = leftBy(place);
      return owner !== undefined && organizationIds.includes(owner);
    });
    await inParallel(left, concurrency, (place) => deletePurged(table, place));
    removed += left.length;
    purge = next && { organizationIds, passed: next };
    if (purge !== undefined) await putPurge(table, purge);
    else await endPurge(table, organizationIds);
  }
  if (removed > 0) log.info('organizations purged', { removed });
  return removed;
}

/**
 * Each run does this first, and so completes a run that died half-way.
 *
 * @returns whether none are left.
 */
async function removeContents(
  { organizationIds }: Purge,
  endsAt: number,
  now: () => number,
  contents: Purging['contents'],
): Promise<boolean> {
  let isDone = true;
  await inParallel(organizationIds, concurrency, async (id) => {
    for (const { kind } of contentKinds) {
      while (now() < endsAt && !(await contents.removeSome(kind, id))) {}
    }
    isDone &&= now() < endsAt;
  });
  return isDone;
}

/** Writes nothing if there is nothing to do, which is nearly always. */
async function beginPurge(table: Table, now: number): Promise<Purge | undefined> {
  const organizationIds = await listOrganizationsDeletedBefore(table, now - settledAfterMs);
  if (organizationIds.length === 0) return undefined;
  const purge = { organizationIds };
  await putPurge(table, purge);
  return purge;
}

async function endPurge(table: Table, ids: Purge['organizationIds']): Promise<void> {
  await inParallel(ids, concurrency, (id) => deleteDeletionMark(table, id));
  await deletePurge(table);
}
