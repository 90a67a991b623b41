import { describe, expect, it } from 'vitest';
import type { DayQuotaStore } from '#shared/access/day-quota-store';
import { mostExamined } from '#shared/table/list-search';
import { newWebhookId } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { logPositionSchema } from '#shared/webhook-deliveries/delivery-log-store';
import type { Webhook } from '#shared/webhooks/webhook';
import {
  endpoint,
  endpoint as redeliverFailedDeliveries,
} from '../../../functions/redeliver-failed-deliveries/redeliver-failed-deliveries.ts';
import { buildDelivery, buildWebhook, webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { fakeDayQuotas } from '../../support/day-quota-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';
import {
  fakeDeliveryLogStore,
  fakeRedeliveryStore,
  fakeWebhookStore,
} from '../../support/webhook-stores.ts';

const hourMs = 3_600_000;

type Build = (index: number) => Partial<Delivery>;

const entryOf = ({ id, createdAt }: Delivery) => ({
  id,
  position: logPositionSchema.parse(`00${createdAt}#${id.slice(-16)}`),
});

/**
 * A webhook with a log of deliveries, newest first, a second apart. A redelivery marks its original as in
 * the store. The write number `dieAt` fails.
 */
function buildWorld(
  count: number,
  build: Build,
  overrides: Partial<Webhook> = {},
  maxAttempts = 5,
  quotas: Partial<DayQuotaStore> = {},
) {
  const manager = buildManager();
  const webhook = buildWebhook({ id: newWebhookId(manager.organizationId), ...overrides });
  const log = new Map(
    Array.from({ length: count }, (_, index) => {
      const createdAt = webhookNow - (index + 1) * 1_000;
      const delivery = buildDelivery({ webhookId: webhook.id, createdAt, ...build(index) });
      return [delivery.id, delivery] as const;
    }),
  );
  const written: Delivery[] = [];
  const run = (body: unknown, { dieAt = Number.POSITIVE_INFINITY } = {}) =>
    redeliverFailedDeliveries.run(
      { ...surroundings, ...manager, path: { id: webhook.id }, body: endpoint.body.parse(body) },
      {
        ...manager,
        ...fakeDayQuotas({ giveBack: async () => {}, ...quotas }),
        maxAttempts,
        webhooks: fakeWebhookStore({ get: async () => webhook }),
        deliveryLogs: fakeDeliveryLogStore({
          findEntries: async (_id, before, most) =>
            [...log.values()]
              .map(entryOf)
              .filter(({ position }) => before === undefined || position < before)
              .slice(0, most),
          getDeliveries: async (_ids, now) => {
            const kept = [...log].filter(([, { expiresAt }]) => now < expiresAt * 1000);
            return new Map(kept);
          },
        }),
        redeliveries: fakeRedeliveryStore({
          putFirst: async ({ id }, redelivery) => {
            const original = log.get(id);
            if (original?.redeliveredAs !== undefined) return 'redelivered_before';
            if (written.length >= dieAt) throw new Error('the process dies');
            if (original) log.set(id, { ...original, redeliveredAs: redelivery.id });
            written.push(redelivery);
            return 'stored';
          },
        }),
      },
    );
  return { run, written, log: [...log.values()] };
}

const everyOtherFailed: Build = (index) => ({ status: index % 2 === 0 ? 'failed' : 'delivered' });
const allFailed: Build = () => ({ status: 'failed' });
const messagesOf = (deliveries: readonly Delivery[]) =>
  deliveries.map(({ messageId }) => messageId).toSorted();

describe('redeliverFailedDeliveries', () => {
  it('redelivers each failed delivery, with the same message, due at once', async () => {
    const { run, written, log } = buildWorld(20, everyOtherFailed);

    const result = await run({ since: 0 });

    expect(result).toEqual({ redelivered: 10, nextCursor: null });
    expect(messagesOf(written)).toEqual(
      messagesOf(log.filter(({ status }) => status === 'failed')),
    );
    for (const redelivery of written) {
      expect(redelivery).toMatchObject({ status: 'pending', attempts: [], dueAt: webhookNow });
      expect(redelivery.expiresAt).toBe(log[0]?.expiresAt);
    }
  });

  it('goes back to the given time, written as a number or as text', async () => {
    const since = webhookNow - 5_000;

    const [number, text] = [buildWorld(20, allFailed), buildWorld(20, allFailed)];

    expect(await number.run({ since })).toMatchObject({ redelivered: 5 });
    expect(await text.run({ since: new Date(since).toISOString() })).toMatchObject({
      redelivered: 5,
    });
  });

  it('goes by when a delivery failed, not when it was created', async () => {
    const since = webhookNow - 5_000;
    const failedAt = [since - 1, since, since + 1];
    const made: Build = (index) => ({
      status: 'failed',
      createdAt: since - 3 * hourMs - index,
      updatedAt: failedAt[index] ?? 0,
    });
    const { run, written, log } = buildWorld(3, made);

    expect(await run({ since })).toEqual({ redelivered: 2, nextCursor: null });
    expect(messagesOf(written)).toEqual(messagesOf(log.slice(1)));
  });

  it.each([5, 28, 100])('reaches one that failed after all of %i attempts', async (maxAttempts) => {
    const since = webhookNow - 5_000;
    const { run } = buildWorld(
      1,
      () => ({ status: 'failed', createdAt: since - maxAttempts * hourMs, updatedAt: since }),
      {},
      maxAttempts,
    );

    expect(await run({ since })).toMatchObject({ redelivered: 1 });
  });

  it('redelivers nothing twice when it runs twice', async () => {
    const { run, written } = buildWorld(20, allFailed);
    await run({ since: 0 });

    const again = await run({ since: 0 });

    expect(again).toEqual({ redelivered: 0, nextCursor: null });
    expect(written).toHaveLength(20);
  });

  it('redelivers nothing twice when it runs twice at the same moment', async () => {
    const { run, written } = buildWorld(200, allFailed);

    const results = await Promise.all([run({ since: 0 }), run({ since: 0 })]);

    expect(results.reduce((sum, { redelivered }) => sum + redelivered, 0)).toBe(200);
    expect(new Set(messagesOf(written)).size).toBe(written.length);
  });

  it('redelivers the rest after it died halfway', async () => {
    const { run, written, log } = buildWorld(50, allFailed);
    await expect(run({ since: 0 }, { dieAt: 17 })).rejects.toThrow('the process dies');

    const again = await run({ since: 0 });

    expect(again.redelivered).toBe(33);
    expect(messagesOf(written)).toEqual(messagesOf(log));
  });

  it('leaves out deliveries that were redelivered one by one', async () => {
    const redelivered: Build = () => ({ status: 'failed', redeliveredAs: buildDelivery().id });

    expect(await buildWorld(5, redelivered).run({ since: 0 })).toMatchObject({ redelivered: 0 });
  });

  it('leaves out expired deliveries', async () => {
    const expired: Build = (index) => ({
      status: 'failed',
      ...(index < 2 && { expiresAt: webhookNow / 1000 }),
    });

    expect(await buildWorld(5, expired).run({ since: 0 })).toMatchObject({ redelivered: 3 });
  });

  it('handles a part in one request, and continues in the next', async () => {
    const { run, written } = buildWorld(mostExamined + 120, everyOtherFailed);

    const first = await run({ since: 0 });
    const second = await run({ since: 0, cursor: first.nextCursor });

    expect(first.redelivered).toBe(mostExamined / 2);
    expect(second).toEqual({ redelivered: 60, nextCursor: null });
    expect(written).toHaveLength(mostExamined / 2 + 60);
  });

  it('reaches a disabled webhook too', async () => {
    const { run, written } = buildWorld(5, allFailed, { disabled: { reason: 'gone', at: 1 } });

    expect(await run({ since: 0 })).toMatchObject({ redelivered: 5 });
    expect(written).toHaveLength(5);
  });
});

describe('a day’s limit of requested deliveries', () => {
  it('accepts all of a request, or none', async () => {
    const asked: number[] = [];
    const take: DayQuotaStore['take'] = async (_id, _quota, amount) => asked.push(amount) === 0;
    const { run, written } = buildWorld(7, allFailed, {}, 5, { take });

    const error = await serviceErrorOf(() => run({ since: 0 }));

    expect([error.code, asked, written]).toEqual(['delivery_limit_reached', [7], []]);
  });

  it('gets back what a concurrent request repeated', async () => {
    const returned: number[] = [];
    const giveBack: DayQuotaStore['giveBack'] = async (_id, _quota, amount) => {
      returned.push(amount);
    };
    let beside: () => Promise<unknown> = async () => {};
    const take: DayQuotaStore['take'] = async () => {
      const run = beside;
      beside = async () => {};
      await run();
      return true;
    };
    const { run } = buildWorld(7, allFailed, {}, 5, { take, giveBack });
    beside = () => run({ since: 0 });

    await run({ since: 0 });

    expect(returned).toEqual([7]);
  });
});

describe('the request', () => {
  it.each([
    ['without a moment', {}],
    ['with seconds and a fraction', { since: 1.5 }],
    ['with a moment before the epoch', { since: -1 }],
    ['with a number as text', { since: '1750000000000' }],
    ['with a day only', { since: '2026-01-31' }],
    ['with a time of no time zone', { since: '2026-01-31T12:00:00' }],
    ['with a cursor that is not text', { since: 0, cursor: null }],
    ['with a field that is not known', { since: 0, until: 1 }],
  ])('%s is rejected', (_what, body) => {
    expect(endpoint.body.safeParse(body).success).toBe(false);
  });

  it('accepts a time in any time zone', () => {
    expect(endpoint.body.parse({ since: '2026-01-31T12:00:00+02:00' }).since).toBe(
      Date.UTC(2026, 0, 31, 10),
    );
  });
});
