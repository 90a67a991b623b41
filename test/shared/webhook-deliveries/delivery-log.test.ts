import { describe, expect, it } from 'vitest';
import { mostExamined } from '#shared/table/list-search';
import { newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import {
  type LogPosition,
  type LogQuery,
  logPositionSchema,
  readDeliveryLog,
} from '#shared/webhook-deliveries/delivery-log-store';
import { fakeDeliveryLogStore } from '../../support/webhook-stores.ts';
import { buildDelivery, webhookNow } from '../webhooks/webhook-builder.ts';

const webhookId = newWebhookId(newOrganizationId());
const now = () => webhookNow;

const positionOf = ({ id, createdAt }: Delivery): LogPosition =>
  logPositionSchema.parse(`${String(createdAt).padStart(15, '0')}#${id.slice(-16)}`);

/** Deliveries of one webhook, newest first, a second apart. */
const buildLog = (
  count: number,
  statusOf: (index: number) => Delivery['status'] = () => 'pending',
) =>
  Array.from({ length: count }, (_, index) =>
    buildDelivery({ webhookId, createdAt: webhookNow - index * 1_000, status: statusOf(index) }),
  );

/** Reads a log that holds these deliveries, and records how much of it is read. */
function prepare(log: readonly Delivery[]) {
  const counts = { entries: 0, items: 0 };
  const deliveryLogs = fakeDeliveryLogStore({
    findEntries: async (_webhookId, before, count) => {
      const entries = log.map((delivery) => ({ id: delivery.id, position: positionOf(delivery) }));
      const page = entries
        .filter(({ position }) => before === undefined || position < before)
        .slice(0, count);
      counts.entries += page.length;
      return page;
    },
    getDeliveries: async (ids, at) => {
      expect(at).toBe(webhookNow);
      counts.items += ids.length;
      const found = log.filter(({ id }) => ids.includes(id));
      return new Map(found.map((delivery) => [delivery.id, delivery]));
    },
  });
  const read = (query: Partial<LogQuery> = {}) =>
    readDeliveryLog({ webhookId, limit: 20, ...query }, { deliveryLogs, now });
  /** Follows the log to its end. */
  const readAll = async (query: Partial<LogQuery> = {}) => {
    const pages: (readonly Delivery[])[] = [];
    for (let before: LogPosition | undefined; ; ) {
      const page = await read({ ...query, before });
      pages.push(page.deliveries);
      if (page.next === undefined) return pages;
      before = page.next;
    }
  };
  return { read, readAll, counts };
}

const isFailed = ({ status }: Delivery) => status === 'failed';

describe('a page of the log', () => {
  it('is empty, and the last one, when the log is empty', async () => {
    expect(await prepare([]).read()).toEqual({ deliveries: [], next: undefined });
  });

  it.each([
    { count: 19, more: false },
    { count: 20, more: false },
    { count: 21, more: true },
  ])(
    'of $count deliveries holds the newest 20, and shows whether there are more: $more',
    async (row) => {
      const log = buildLog(row.count);

      const { deliveries, next } = await prepare(log).read();

      expect(deliveries).toEqual(log.slice(0, 20));
      expect(next !== undefined).toBe(row.more);
    },
  );

  it('reads no more deliveries than it shows', async () => {
    const { read, counts } = prepare(buildLog(300));

    await read({ limit: 7 });

    expect(counts).toEqual({ entries: 8, items: 7 });
  });

  it.each([1, 20, 100])(
    'of %d leads to the next until every delivery was shown once',
    async (limit) => {
      const log = buildLog(205);

      const pages = await prepare(log).readAll({ limit });

      expect(pages.flat()).toEqual(log);
      expect(pages).toHaveLength(Math.ceil(205 / limit));
    },
  );

  it('leaves out a delivery that is no longer there', async () => {
    const log = buildLog(5);
    const deliveryLogs = fakeDeliveryLogStore({
      findEntries: async () => log.map((one) => ({ id: one.id, position: positionOf(one) })),
      getDeliveries: async () => new Map(log.slice(1).map((one) => [one.id, one])),
    });

    const page = await readDeliveryLog({ webhookId, limit: 10 }, { deliveryLogs, now });

    expect(page).toEqual({ deliveries: log.slice(1), next: undefined });
  });
});

describe('a page of the deliveries that match', () => {
  const everyTenthFailed = (index: number) => (index % 10 === 9 ? 'failed' : 'delivered');

  it('holds as many as the limit, however far apart they are', async () => {
    const log = buildLog(300, everyTenthFailed);

    const { deliveries } = await prepare(log).read({ limit: 15, matches: isFailed });

    expect(deliveries).toEqual(log.filter(isFailed).slice(0, 15));
  });

  it.each([1, 3, 100])(
    'of %d leads to the next until every matching delivery was shown once',
    async (limit) => {
      const log = buildLog(1_203, everyTenthFailed);

      const pages = await prepare(log).readAll({ limit, matches: isFailed });

      expect(pages.flat()).toEqual(log.filter(isFailed));
    },
  );

  it('is the last one when its last match ends the log', async () => {
    const log = buildLog(10, everyTenthFailed);

    const { next } = await prepare(log).read({ limit: 1, matches: isFailed });

    expect(next).toBeUndefined();
  });

  it(`ends after ${mostExamined} deliveries that were read, with a position to continue at`, async () => {
    const log = buildLog(mostExamined + 10, (index) =>
      index > mostExamined ? 'failed' : 'pending',
    );
    const { read, counts } = prepare(log);

    const { deliveries, next } = await read({ matches: isFailed });

    expect(deliveries).toEqual([]);
    expect(counts.items).toBe(mostExamined);
    expect((await read({ matches: isFailed, before: next })).deliveries).toHaveLength(9);
  });
});

describe('a log since a moment', () => {
  it('includes what was created at that moment', async () => {
    const log = buildLog(50);

    const pages = await prepare(log).readAll({ since: webhookNow - 30_000, limit: 8 });

    expect(pages.flat()).toEqual(log.slice(0, 31));
    expect(pages).toHaveLength(4);
  });

  it('is empty when the moment is in the future', async () => {
    const page = await prepare(buildLog(3)).read({ since: webhookNow + 1, matches: isFailed });

    expect(page).toEqual({ deliveries: [], next: undefined });
  });

  it('reads almost nothing that is older', async () => {
    const { read, counts } = prepare(buildLog(2_000));

    await read({ since: webhookNow, limit: mostExamined, matches: isFailed });

    expect(counts.items).toBe(1);
  });
});

describe('a position in the log', () => {
  it.each([
    ['nothing', ''],
    ['the end of every text', '~'],
    ['no time', `#${buildDelivery().id.slice(-16)}`],
    ['a whole id', `001750000000000#${buildDelivery().id}`],
    ['no delivery', '001750000000000#whk_1'],
    ['something after', `${positionOf(buildDelivery())}#`],
  ])('is not %s', (_what, text) => {
    expect(logPositionSchema.safeParse(text).success).toBe(false);
  });
});
