import { describe, expect, it } from 'vitest';
import { newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import { claimDelivery, settleDelivery } from '#shared/webhook-deliveries/attempt-store';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { getDelivery } from '#shared/webhook-deliveries/delivery-store';
import { findWaiting, makeDueNow } from '#shared/webhook-deliveries/waiting-store';
import { openStoreTable } from '../../support/store-table.ts';
import { findDueTo, storeDeliveries } from '../../support/stored-delivery.ts';
import { buildDelivery, webhookNow as now } from '../webhooks/webhook-builder.ts';

const table = openStoreTable();
const hourMs = 3_600_000;
const failed = { at: now - hourMs, durationMs: 31, statusCode: 502 };

/** Deliveries of one endpoint that have failed once, a minute apart. */
async function storeWaiting(count: number, given: Partial<Omit<Delivery, 'webhookId'>> = {}) {
  const webhookId = newWebhookId(newOrganizationId());
  const deliveries = Array.from({ length: count }, (_, index) =>
    buildDelivery({
      ...{ webhookId, createdAt: now - hourMs, dueAt: now + index * 60_000 },
      ...{ attemptsStarted: 1, attempts: [failed] },
      ...given,
    }),
  );
  await storeDeliveries(table, deliveries);
  const [first] = deliveries;
  if (first === undefined) throw new Error('no delivery');
  return { webhookId, deliveries, first };
}

const found = async (...query: [Delivery['webhookId'], number, number]) => {
  const pages = await findWaiting(table, ...query);
  return pages.flatMap(({ entries }) => entries).toSorted((one, other) => one.dueAt - other.dueAt);
};

describe('what waits', () => {
  it('is found from a time on, with the attempts it has had and its creation', async () => {
    const { webhookId, deliveries } = await storeWaiting(5);
    await storeWaiting(5);

    const entries = await found(webhookId, now + 60_000, 100);

    expect(entries).toEqual(
      deliveries.slice(1).map(({ id, dueAt, createdAt }) => ({
        ...{ id, webhookId, dueAt, createdAt },
        attemptsStarted: 1,
      })),
    );
  });

  it('is cut per shard, the soonest first', async () => {
    const { webhookId } = await storeWaiting(40);

    const pages = await findWaiting(table, webhookId, 0, 2);

    expect(pages.every(({ entries }) => entries.length <= 2)).toBe(true);
    expect(pages.some(({ hasMore }) => hasMore)).toBe(true);
    const all = await findWaiting(table, webhookId, 0, 100);
    expect(pages.map(({ entries }) => entries)).toEqual(
      all.map(({ entries }) => entries.slice(0, 2)),
    );
  });

  it('has one attempt more once another has failed', async () => {
    const { webhookId, first } = await storeWaiting(1);
    const claimed = await claimDelivery(table, first.id, 'due', now);
    if (claimed === undefined) throw new Error('not claimed');
    const outcome = { status: 'pending', attempts: [failed, failed], dueAt: now + hourMs } as const;
    await settleDelivery(table, claimed, outcome, now);

    expect(await found(webhookId, 0, 10)).toMatchObject([
      { id: first.id, attemptsStarted: 2, dueAt: now + hourMs, createdAt: now - hourMs },
    ]);
  });

  it('is gone once the delivery has ended', async () => {
    const { webhookId, first } = await storeWaiting(1);
    const claimed = await claimDelivery(table, first.id, 'due', now);
    if (claimed === undefined) throw new Error('not claimed');
    await settleDelivery(table, claimed, { status: 'delivered', attempts: [failed] }, now);

    expect(await found(webhookId, 0, 10)).toEqual([]);
  });
});

describe('a waiting delivery', () => {
  it('is made due by one of several concurrent calls, and can be claimed at once', async () => {
    const { webhookId, first } = await storeWaiting(1, { dueAt: now + hourMs });

    const outcomes = await Promise.all([1, 2, 3].map(() => makeDueNow(table, first, now)));

    expect(outcomes.filter(({ isMade }) => isMade)).toHaveLength(1);
    const due = { ...first, dueAt: now, updatedAt: now };
    expect(outcomes.map(({ existing }) => existing)).toEqual([due, due, due]);
    expect(await findDueTo(table, webhookId, now)).toMatchObject([{ id: first.id }]);
    expect(await claimDelivery(table, first.id, 'asked', now)).toMatchObject({
      attemptsStarted: 2,
    });
  });

  it.each([
    { what: 'under an attempt’s lease', given: { leaseExpiresAt: now + 1 } },
    { what: 'that was delivered', given: { status: 'delivered' } },
    { what: 'that has failed', given: { status: 'failed' } },
  ] as const)('$what stays as it is', async ({ given }) => {
    const { first } = await storeWaiting(1, { dueAt: now + hourMs, ...given });

    expect(await makeDueNow(table, first, now)).toEqual({ isMade: false, existing: first });
    expect(await getDelivery(table, first.id, now)).toEqual(first);
  });

  it('that is claimed at the same moment is attempted once', async () => {
    const { first } = await storeWaiting(1, { dueAt: now });

    const [claimed, made] = await Promise.all([
      claimDelivery(table, first.id, 'due', now),
      makeDueNow(table, first, now),
    ]);
    const again = await claimDelivery(table, first.id, 'asked', now);

    expect([claimed, again].filter((one) => one !== undefined)).toHaveLength(1);
    expect(made.existing?.attemptsStarted).toBeLessThanOrEqual(2);
  });

  it('that is gone is not made again', async () => {
    const gone = buildDelivery({ dueAt: now + hourMs });

    expect(await makeDueNow(table, gone, now)).toEqual({ isMade: false });
    expect(await getDelivery(table, gone.id, now)).toBeUndefined();
  });
});
