import { describe, expect, it } from 'vitest';
import { newDeliveryId } from '#shared/tokens/delivery-id';
import { claimDelivery } from '#shared/webhook-deliveries/attempt-store';
import { type Delivery, redeliveryOf } from '#shared/webhook-deliveries/delivery';
import { createDelivery, getDelivery } from '#shared/webhook-deliveries/delivery-store';
import { storeFirstRedelivery, storeRedelivery } from '#shared/webhook-deliveries/redelivery-store';
import { openStoreTable } from '../../support/store-table.ts';
import { buildDelivery, webhookNow } from '../webhooks/webhook-builder.ts';

const table = openStoreTable();
const now = webhookNow + 60_000;

async function storeNew(overrides: Partial<Delivery> = {}): Promise<Delivery> {
  const delivery = buildDelivery({ status: 'failed', attemptsStarted: 5, ...overrides });
  await createDelivery(table, delivery);
  return delivery;
}

const repeat = (original: Delivery) => redeliveryOf(original, newDeliveryId(original.id), now);

describe('a redelivery', () => {
  it('is stored like any delivery, and can be claimed for its first attempt', async () => {
    const original = await storeNew();
    const redelivery = repeat(original);

    await storeRedelivery(table, original, redelivery);

    expect(await getDelivery(table, redelivery.id, now)).toEqual(redelivery);
    expect(await claimDelivery(table, redelivery.id, 'first', now)).toBeDefined();
  });

  it('is recorded on the failed delivery that it repeats, the latest one last', async () => {
    const original = await storeNew();
    const [first, second] = [repeat(original), repeat(original)];

    await storeRedelivery(table, original, first);
    await storeRedelivery(table, original, second);

    const expected = { ...original, redeliveredAs: second.id, updatedAt: now };
    expect(await getDelivery(table, original.id, now)).toEqual(expected);
    expect(await getDelivery(table, first.id, now)).toEqual(first);
  });

  it.each(['pending', 'delivered'] as const)('leaves a %s delivery unchanged', async (status) => {
    const original = await storeNew({ status });

    await storeRedelivery(table, original, repeat(original));

    expect(await getDelivery(table, original.id, now)).toEqual(original);
  });
});

describe('the first redelivery', () => {
  it('of a failed delivery is stored, and recorded on it', async () => {
    const original = await storeNew();
    const redelivery = repeat(original);

    expect(await storeFirstRedelivery(table, original, redelivery)).toBe('stored');

    expect(await getDelivery(table, redelivery.id, now)).toEqual(redelivery);
    expect(await getDelivery(table, original.id, now)).toMatchObject({
      redeliveredAs: redelivery.id,
    });
  });

  it('succeeds for only one of many concurrent calls', async () => {
    const original = await storeNew();
    const redeliveries = Array.from({ length: 8 }, () => repeat(original));

    const outcomes = await Promise.all(
      redeliveries.map((redelivery) => storeFirstRedelivery(table, original, redelivery)),
    );

    const stored = await Promise.all(redeliveries.map(({ id }) => getDelivery(table, id, now)));
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
    expect(stored.filter((delivery) => delivery !== undefined)).toHaveLength(1);
  });

  it('is not stored after a redelivery of that one delivery', async () => {
    const original = await storeNew();
    await storeRedelivery(table, original, repeat(original));

    const outcome = await storeFirstRedelivery(table, original, repeat(original));

    expect(outcome).toBe('redelivered_before');
  });

  it.each(['pending', 'delivered'] as const)('is not stored for a %s delivery', async (status) => {
    const original = await storeNew({ status });
    const redelivery = repeat(original);

    expect(await storeFirstRedelivery(table, original, redelivery)).toBe('redelivered_before');
    expect(await getDelivery(table, redelivery.id, now)).toBeUndefined();
  });
});
