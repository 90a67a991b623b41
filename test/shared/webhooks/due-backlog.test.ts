import { describe, expect, it } from 'vitest';
import type { WebhookId } from '#shared/tokens/resource-id';
import { DueBacklog, perEndpoint, type ReadDuePage } from '#shared/webhooks/due-backlog';
import type { DueEntry } from '#shared/webhooks/due-delivery-store';
import { buildDelivery, buildWebhook } from './webhook-builder.ts';

/** The due deliveries of one endpoint. */
function dueTo(webhookId: WebhookId, count: number): DueEntry[] {
  return Array.from({ length: count }, () => {
    const { id, dueAt } = buildDelivery({ webhookId });
    return { id, webhookId, dueAt };
  });
}

const newWebhookId = () => buildWebhook().id;

/** Reads shards that are given as lists of pages. */
function readFrom(shards: readonly (readonly (readonly DueEntry[])[])[]) {
  const reads: string[] = [];
  const read: ReadDuePage = async (shard, after) => {
    const index = Number(after?.['page'] ?? 0);
    reads.push(`${shard}/${index}`);
    const pages = shards[shard] ?? [];
    const next = index + 1 < pages.length ? { page: index + 1 } : undefined;
    return { entries: pages[index] ?? [], next };
  };
  const time = { isOver: false };
  const backlog = new DueBacklog(shards.length, read, () => time.isOver);
  return { read, reads, time, backlog };
}

/** Takes until the backlog has nothing to hand out at once. */
async function takeAll(backlog: DueBacklog, { release = true } = {}): Promise<DueEntry[]> {
  const taken: DueEntry[] = [];
  for (;;) {
    const waiting = new Promise<'waits'>((resolve) => setImmediate(resolve, 'waits'));
    const entry = await Promise.race([backlog.take(), waiting]);
    if (entry === undefined || entry === 'waits') return taken;
    taken.push(entry);
    if (release) backlog.release(entry);
  }
}

/** Takes as many deliveries as may be under way to one endpoint. */
const takeShare = (backlog: DueBacklog) =>
  Promise.all(Array.from({ length: perEndpoint }, () => backlog.take()));

const idsOf = (entries: readonly DueEntry[]) => entries.map(({ id }) => id);

describe('the due backlog', () => {
  it('ends at once when nothing is due', async () => {
    const { backlog } = readFrom([[[]], [[]]]);

    expect(await backlog.take()).toBeUndefined();
    expect(await backlog.take()).toBeUndefined();
  });

  it('hands out each delivery of all shards and pages once', async () => {
    const [a, b] = [newWebhookId(), newWebhookId()];
    const shards = [[dueTo(a, 3), [], dueTo(b, 2)], [[]], [dueTo(a, 4), dueTo(b, 1), dueTo(a, 1)]];
    const { backlog } = readFrom(shards);

    const taken = idsOf(await takeAll(backlog));

    expect(taken.toSorted()).toEqual(idsOf(shards.flat(2)).toSorted());
  });

  it('hands out each delivery once when many take at the same moment', async () => {
    const entries = dueTo(newWebhookId(), 6).concat(dueTo(newWebhookId(), 6));
    const { backlog, reads } = readFrom([[entries.slice(0, 5), entries.slice(5)]]);

    const taken = await Promise.all(Array.from({ length: 12 }, () => backlog.take()));

    expect(taken.map((entry) => entry?.id).toSorted()).toEqual(idsOf(entries).toSorted());
    expect(reads).toEqual(['0/0', '0/1']);
  });

  it('hands out the deliveries of an endpoint in the order in which they are due', async () => {
    const entries = dueTo(newWebhookId(), 10);
    const { backlog } = readFrom([[entries.slice(0, 7), entries.slice(7)]]);

    expect(idsOf(await takeAll(backlog))).toEqual(idsOf(entries));
  });

  it('gives a hanging endpoint no more than its share, and the others theirs', async () => {
    const [hanging, fine] = [newWebhookId(), newWebhookId()];
    const { backlog } = readFrom([[dueTo(hanging, 200), dueTo(fine, 3)]]);

    const underWay = await takeAll(backlog, { release: false });

    const toHanging = underWay.filter(({ webhookId }) => webhookId === hanging);
    expect(toHanging).toHaveLength(perEndpoint);
    expect(underWay).toHaveLength(perEndpoint + 3);
  });

  it('lets endpoints take turns, however many deliveries one of them has', async () => {
    const [busy, quiet] = [newWebhookId(), newWebhookId()];
    const { backlog } = readFrom([[[...dueTo(busy, 50), ...dueTo(quiet, 2)]]]);

    const first = [await backlog.take(), await backlog.take(), await backlog.take()];

    expect(first.map((entry) => entry?.webhookId)).toEqual([busy, quiet, busy]);
  });

  it('hands out the next delivery of a full endpoint as soon as one of its attempts is over', async () => {
    const entries = dueTo(newWebhookId(), perEndpoint + 1);
    const { backlog } = readFrom([[entries]]);
    const [first] = await takeShare(backlog);

    const next = backlog.take();
    if (first !== undefined) backlog.release(first);

    expect(await next).toBe(entries.at(-1));
  });

  it('ends for all who wait when another takes the last delivery', async () => {
    const entries = dueTo(newWebhookId(), perEndpoint + 1);
    const { backlog } = readFrom([[entries]]);
    const [first] = await takeShare(backlog);

    const waiting = [backlog.take(), backlog.take()];
    if (first !== undefined) backlog.release(first);

    expect(await Promise.all(waiting)).toEqual([entries.at(-1), undefined]);
  });

  it('reads no further page while there is something to hand out', async () => {
    const { backlog, reads } = readFrom([[dueTo(newWebhookId(), 2), dueTo(newWebhookId(), 2)]]);

    await backlog.take();
    await backlog.take();

    expect(reads).toEqual(['0/0']);
  });

  it('reads no further page when the time is over and only a full endpoint has deliveries left', async () => {
    const hanging = newWebhookId();
    const pages = Array.from({ length: 50 }, () => dueTo(hanging, perEndpoint));
    const { backlog, reads, time } = readFrom([pages]);
    await takeShare(backlog);

    const waiting = [backlog.take(), backlog.take()];
    time.isOver = true;

    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect(reads).toEqual(['0/0', '0/1']);
  });

  it('hands out nothing when the time ends during the wait', async () => {
    const { backlog, time } = readFrom([[dueTo(newWebhookId(), perEndpoint + 1)]]);
    const [first] = await takeShare(backlog);
    const waiting = backlog.take();

    time.isOver = true;
    if (first !== undefined) backlog.release(first);

    expect(await waiting).toBeUndefined();
  });

  it('fails for all who wait when a page cannot be read', async () => {
    const backlog = new DueBacklog(
      1,
      () => Promise.reject(new Error('unreachable')),
      () => false,
    );

    const takes = await Promise.allSettled([backlog.take(), backlog.take()]);

    expect(takes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
