import type { RequestLog } from '#shared/observability/request-log';
import { leftBy, type Purge, type PurgeStore } from '#shared/organizations/purge-store';
import { contentKinds } from '#shared/stored-content/content-kinds';
import type { ContentStore } from '#shared/stored-content/content-store';
import { inParallel } from '#shared/timing/in-parallel';

/** Until then, sends that started before the deletion may still store contacts. */
const settledAfterMs = 3_600_000;
/** No page starts later. The function may run twice as long. */
const beginWithinMs = 300_000;
/** Deletions at a time: 16 of some 5 ms are 3,000 a second, below what a new table takes. */
const concurrency = 16;

export type Purging = {
  readonly now: () => number;
  readonly purges: PurgeStore;
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
  { now, purges, contents }: Purging,
  log: RequestLog,
): Promise<number> {
  const endsAt = now() + beginWithinMs;
  let removed = 0;
  let purge = (await purges.get()) ?? (await beginPurge(now(), purges));
  if (purge !== undefined && !(await removeContents(purge, endsAt, now, contents))) return removed;
  while (purge !== undefined && now() < endsAt) {
    const { organizationIds, passed } = purge;
    const { keys, next } = await purges.readPage(passed);
    const left = keys.filter((key) => {
      const owner = leftBy(key);
      return owner !== undefined && organizationIds.includes(owner);
    });
    await inParallel(left, concurrency, purges.remove);
    removed += left.length;
    purge = next && { organizationIds, passed: next };
    if (purge !== undefined) await purges.put(purge);
    else await endPurge(organizationIds, purges);
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
async function beginPurge(now: number, purges: PurgeStore): Promise<Purge | undefined> {
  const organizationIds = await purges.findDeletedBefore(now - settledAfterMs);
  if (organizationIds.length === 0) return undefined;
  const purge = { organizationIds };
  await purges.put(purge);
  return purge;
}

async function endPurge(ids: Purge['organizationIds'], purges: PurgeStore): Promise<void> {
  await inParallel(ids, concurrency, purges.removeMark);
  await purges.end();
}
