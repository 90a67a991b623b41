import { describe, expect, it } from 'vitest';
import { dueShards } from '#shared/table/delivery-keys';
import { transactWrite } from '#shared/table/transact-write';
import { newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import { firstAttemptGraceMs } from '#shared/webhooks/delivery';
import { putDeliveries } from '#shared/webhooks/delivery-store';
import { findDueDeliveries } from '#shared/webhooks/due-delivery-store';
import { openStoreTable } from '../../support/store-table.ts';
import { findDueTo, storeClaimedDelivery, storeDelivery } from '../../support/stored-delivery.ts';
import { buildDelivery, webhookNow as now } from './webhook-builder.ts';

const table = openStoreTable();
const graceIsOver = now + firstAttemptGraceMs;

describe('a due delivery', () => {
  it('is found, with its webhook, from the minute after it was written', async () => {
    const { id, webhookId } = await storeDelivery(table);

    expect(await findDueTo(table, webhookId, graceIsOver - 1)).toEqual([]);
    expect(await findDueTo(table, webhookId, graceIsOver)).toEqual([
      { id, webhookId, dueAt: graceIsOver },
    ]);
  });

  it('is found while an attempt is under way, since its process may die', async () => {
    const { id, webhookId } = await storeClaimedDelivery(table);

    expect(await findDueTo(table, webhookId, graceIsOver)).toMatchObject([{ id }]);
  });

  it('is found over several pages, each once, oldest first in each shard', async () => {
    const webhookId = newWebhookId(newOrganizationId());
    const deliveries = Array.from({ length: 900 }, (_, index) =>
      buildDelivery({ webhookId, createdAt: now - (index % 97) }),
    );
    for (let start = 0; start < 900; start += 100) {
      const batch = deliveries.slice(start, start + 100);
      await transactWrite(table, putDeliveries(table, batch));
    }

    const found = await findDueTo(table, webhookId, graceIsOver);

    expect(found.map(({ id }) => id).toSorted()).toEqual(deliveries.map(({ id }) => id).toSorted());
    const pages = await Promise.all(
      Array.from({ length: dueShards }, (_, shard) =>
        findDueDeliveries(table, shard, graceIsOver, undefined),
      ),
    );
    expect(pages.some(({ next }) => next !== undefined)).toBe(true);
    for (const { entries } of pages) {
      const times = entries.map(({ dueAt }) => dueAt);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
    }
  });
});
