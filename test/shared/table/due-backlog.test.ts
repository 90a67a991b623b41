import { describe, expect, it } from 'vitest';
import { dueDeliveries } from '#shared/table/delivery-keys';
import { DueBacklog } from '#shared/table/due-backlog';
import type { DueReader } from '#shared/table/due-index';
import type { WebhookId } from '#shared/tokens/resource-id';
import type { DueEntry } from '#shared/webhook-deliveries/delivery-store';
import {
  dueTo,
  newEndpoints,
  openDueIndex,
  pageSize,
  threeEndpoints,
} from '../webhook-deliveries/due-index.ts';

const deadline = 1_000;

type Backlog = DueBacklog<WebhookId, DueEntry>;

/** Opens a backlog over the entries of the first shards, and lets it look for endpoints. */
async function openBacklog(
  shards: readonly (readonly DueEntry[])[],
  shareOf: (id: WebhookId) => number = () => 100,
) {
  const clock = { now: 0 };
  const { store, reads } = openDueIndex(shards);
  const backlog = openOn(store, clock, shareOf);
  backlog.look();
  await settled(backlog);
  return { backlog, reads, clock };
}

const openOn = (
  due: DueReader<WebhookId, DueEntry>,
  clock: { now: number },
  shareOf: (id: WebhookId) => number,
) => new DueBacklog({ due, now: () => clock.now, deadline, shareOf, onRead: () => {} });

async function settled(backlog: Backlog): Promise<void> {
  while (backlog.isReading) await new Promise((resolve) => setImmediate(resolve));
}

/** Takes what can be taken, until there is no more to read either. */
async function takeAll(backlog: Backlog, { release = true } = {}): Promise<DueEntry[]> {
  const taken: DueEntry[] = [];
  for (;;) {
    const entry = backlog.take();
    if (entry !== undefined) {
      taken.push(entry);
      if (release) backlog.release(entry);
    } else if (backlog.isReading) await settled(backlog);
    else return taken;
  }
}

const idsOf = (entries: readonly DueEntry[]) => entries.map(({ id }) => id);

describe('the due backlog', () => {
  it('has nothing to hand out when nothing is due', async () => {
    const [a] = threeEndpoints();
    const { backlog } = await openBacklog([dueTo(a, 3, 1)]);

    expect(backlog.take()).toBeUndefined();
    expect(backlog.isReading).toBe(false);
  });

  it('hands out each delivery of all endpoints, shards and pages once', async () => {
    const [a, b, c] = threeEndpoints();
    const shards = [[...dueTo(a, 10), ...dueTo(b, 2)], [], [...dueTo(a, 4), ...dueTo(c, 7)]];
    const { backlog } = await openBacklog(shards);

    const taken = idsOf(await takeAll(backlog));

    expect(taken.toSorted()).toEqual(idsOf(shards.flat()).toSorted());
  });

  it('hands out the deliveries of an endpoint in the order in which they are due', async () => {
    const entries = newEndpoints(1).flatMap((id) => dueTo(id, 10));
    const { backlog } = await openBacklog([entries]);

    expect(idsOf(await takeAll(backlog))).toEqual(idsOf(entries));
  });

  it('gives an endpoint no more than its share, and the others theirs', async () => {
    const [hanging, fine] = threeEndpoints();
    const shareOf = (id: WebhookId) => (id === hanging ? 4 : 100);
    const { backlog } = await openBacklog([[...dueTo(hanging, 200), ...dueTo(fine, 3)]], shareOf);

    const underWay = await takeAll(backlog, { release: false });

    expect(underWay.filter(({ webhookId }) => webhookId === hanging)).toHaveLength(4);
    expect(underWay).toHaveLength(4 + 3);
  });

  it('hands out the next delivery of a full endpoint once an attempt is over, or its share has grown', async () => {
    const entries = newEndpoints(1).flatMap((id) => dueTo(id, 3));
    let share = 1;
    const { backlog } = await openBacklog([entries], () => share);
    const [first, second, third] = entries;

    expect(backlog.take()).toBe(first);
    expect(backlog.take()).toBeUndefined();
    share = 2;
    if (first) backlog.release(first);

    expect([backlog.take(), backlog.take()]).toEqual([second, third]);
  });

  it('lets endpoints take turns, however many deliveries one of them has', async () => {
    const [busy, quiet] = threeEndpoints();
    const { backlog } = await openBacklog([[...dueTo(busy, 50), ...dueTo(quiet, 2)]]);

    const first = [backlog.take(), backlog.take(), backlog.take()];

    expect(first.map((entry) => entry?.webhookId)).toEqual([busy, quiet, busy]);
  });

  it('finds an endpoint behind another with the same reads, however many deliveries that one has', async () => {
    const readsBehind = async (count: number) => {
      const [hanging, fine] = threeEndpoints();
      const backlogOfHanging = Array.from({ length: dueDeliveries.shards }, () =>
        dueTo(hanging, count),
      );
      const shards = backlogOfHanging.map((entries, shard) =>
        shard === 0 ? [...entries, ...dueTo(fine, 1)] : entries,
      );
      const { backlog, reads } = await openBacklog(shards, () => 2);
      const taken = await takeAll(backlog, { release: false });
      expect(taken.map(({ webhookId }) => webhookId)).toContain(fine);
      return reads.length;
    };

    expect(await readsBehind(500)).toBe(await readsBehind(pageSize + 1));
  });

  it('reads on in the deliveries of an endpoint only when those it has are handed out', async () => {
    const [id] = threeEndpoints();
    const { backlog, reads } = await openBacklog([dueTo(id, 3 * pageSize)]);
    const before = reads.length;

    const first = Array.from({ length: pageSize - 1 }, () => backlog.take());
    const early = reads.length;
    const last = backlog.take();

    expect([...first, last]).not.toContain(undefined);
    expect(early).toBe(before);
    expect(reads.slice(before)).toEqual([`0: ${id} from ${pageSize}`]);
  });

  it('reads nothing more when the time is over', async () => {
    const [id] = threeEndpoints();
    const { backlog, reads, clock } = await openBacklog([dueTo(id, 3 * pageSize)]);
    const before = reads.length;

    clock.now = deadline;
    await takeAll(backlog);

    expect(reads).toHaveLength(before);
  });

  it('looks for no further endpoint when the time is over', async () => {
    const shard = newEndpoints(5).flatMap((id) => dueTo(id, 1));
    const { store, reads } = openDueIndex([shard]);
    const backlog = openOn(store, { now: deadline }, () => 100);

    backlog.look();
    await settled(backlog);

    expect(reads.filter((read) => read.startsWith('0:'))).toHaveLength(1);
  });

  it('hands out at the next look what has become due since, and nothing twice', async () => {
    const [a, b] = threeEndpoints();
    const [early, late] = [dueTo(a, 7), [...dueTo(a, 5, 10), ...dueTo(b, 2, 10)]];
    const { backlog, clock } = await openBacklog([[...early, ...late]]);
    const first = await takeAll(backlog);

    clock.now = 10;
    backlog.look();
    const second = await takeAll(backlog);
    backlog.look();
    const third = await takeAll(backlog);

    expect(idsOf(first)).toEqual(idsOf(early));
    expect(idsOf(second).toSorted()).toEqual(idsOf(late).toSorted());
    expect(third).toEqual([]);
    expect(backlog.found).toBe(0);
  });

  it('does not begin anew, at the next look, with a backlog that it is amid', async () => {
    const [id] = threeEndpoints();
    const { backlog, reads } = await openBacklog([dueTo(id, 50)], () => 1);
    const before = reads.length;

    for (let look = 0; look < 5; look += 1) {
      backlog.look();
      await settled(backlog);
    }

    expect(reads.slice(before).filter((read) => read.includes('from'))).toEqual([]);
  });

  it('still hands out what was found when a read fails, and says so at the end', async () => {
    const entries = newEndpoints(1).flatMap((id) => dueTo(id, pageSize));
    const { store } = openDueIndex([entries]);
    const findOwners: DueReader<WebhookId, DueEntry>['findOwners'] = (shard, ...range) =>
      shard === 1 ? Promise.reject(new Error('unreachable')) : store.findOwners(shard, ...range);
    const backlog = openOn({ ...store, findOwners }, { now: 0 }, () => 100);

    backlog.look();
    await settled(backlog);

    expect(idsOf(await takeAll(backlog))).toEqual(idsOf(entries));
    expect(() => backlog.requireAllRead()).toThrow('unreachable');
  });
});
