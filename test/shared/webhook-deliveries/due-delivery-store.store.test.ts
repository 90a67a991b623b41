import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { dueDeliveries } from '#shared/table/delivery-keys';
import { type DueOwners, findDue, findDueOwners } from '#shared/table/due-index';
import { duePartition, dueRange } from '#shared/table/keys';
import { newOrganizationId, newWebhookId, type WebhookId } from '#shared/tokens/resource-id';
import { type Delivery, firstAttemptGraceMs } from '#shared/webhook-deliveries/delivery';
import { type DueEntry, dueDeliveryList } from '#shared/webhook-deliveries/delivery-store';
import { openStoreTable } from '../../support/store-table.ts';
import {
  findDueOf,
  findDueTo,
  storeClaimedDelivery,
  storeDeliveries,
  storeDelivery,
} from '../../support/stored-delivery.ts';
import { buildDelivery, webhookNow as now } from '../webhooks/webhook-builder.ts';

const table = openStoreTable();
const graceIsOver = now + firstAttemptGraceMs;
const shards = Array.from({ length: dueDeliveries.shards }, (_, shard) => shard);

async function storeMany(count: number, overrides: Parameters<typeof buildDelivery>[0]) {
  const deliveries = Array.from({ length: count }, (_, index) =>
    buildDelivery({ ...overrides, createdAt: now - (index % 97) }),
  );
  await storeDeliveries(table, deliveries);
  return deliveries;
}

const idsOf = (entries: readonly Pick<Delivery, 'id'>[]) => entries.map(({ id }) => id).toSorted();

describe('a due delivery', () => {
  it('is found with its webhook from a minute after it was written', async () => {
    const { id, webhookId } = await storeDelivery(table);

    expect(await findDueTo(table, webhookId, graceIsOver - 1)).toEqual([]);
    expect(await findDueTo(table, webhookId, graceIsOver)).toMatchObject([
      { id, webhookId, dueAt: graceIsOver },
    ]);
  });

  it('has no further page if the clock went backwards since the last one', async () => {
    const { webhookId } = await storeDelivery(table);
    const after = { gsi1sk: dueRange(webhookId, graceIsOver).last };

    const further = await Promise.all(
      shards.map((shard) =>
        findDue(table, dueDeliveryList, shard, webhookId, graceIsOver - 1, after),
      ),
    );

    expect(further).toEqual(shards.map(() => ({ entries: [], next: undefined })));
  });

  it('is found while an attempt is under way, as its process may die', async () => {
    const { id, webhookId } = await storeClaimedDelivery(table);

    expect(await findDueTo(table, webhookId, graceIsOver)).toMatchObject([{ id }]);
  });

  it('is found across pages, each once, oldest first in each shard', async () => {
    const webhookId = newWebhookId(newOrganizationId());
    const deliveries = await storeMany(560, { webhookId });

    const found = await findDueTo(table, webhookId, graceIsOver);

    expect(idsOf(found)).toEqual(idsOf(deliveries));
    const pages = await Promise.all(
      shards.map((shard) =>
        findDue(table, dueDeliveryList, shard, webhookId, graceIsOver, undefined),
      ),
    );
    expect(pages.some(({ next }) => next !== undefined)).toBe(true);
    for (const { entries } of pages) {
      const times = entries.map(({ dueAt }) => dueAt);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
    }
  });
});

/** Goes through an organization's endpoints in a shard, and reads each one's deliveries. */
async function walk(shard: number, first: WebhookId, last: WebhookId) {
  const found = new Map<WebhookId, number>();
  let requests = 0;
  let after: WebhookId | undefined = first;
  while (after !== undefined && after < last) {
    const page: DueOwners<WebhookId, DueEntry> = await findDueOwners(
      table,
      dueDeliveryList,
      shard,
      graceIsOver,
      after,
    );
    requests += 1;
    for (const {
      owner: webhookId,
      page: { entries, next },
    } of page.firstPages) {
      const more =
        next && (await findDue(table, dueDeliveryList, shard, webhookId, graceIsOver, next));
      found.set(webhookId, entries.length + (more?.entries.length ?? 0));
    }
    after = page.next;
  }
  return { found, requests };
}

describe('the endpoints with due deliveries', () => {
  it('are found with the same number of requests behind a long backlog as behind a short one', async () => {
    const requestsBehind = async (count: number) => {
      const organizationId = newOrganizationId();
      const [before, hanging, fine] = Array.from({ length: 3 }, () =>
        newWebhookId(organizationId),
      ).toSorted();
      if (!before || !hanging || !fine) throw new Error('three ids');
      const backlog = await storeMany(count, { webhookId: hanging });
      const due = await storeMany(20, { webhookId: fine });

      const walks = await Promise.all(shards.map((shard) => walk(shard, before, fine)));

      const foundOf = (id: WebhookId) =>
        walks.reduce((sum, { found }) => sum + (found.get(id) ?? 0), 0);
      expect(foundOf(fine)).toBe(due.length);
      expect(foundOf(hanging)).toBeGreaterThan(0);
      const all = await findDueOf(table, organizationId, graceIsOver);
      expect(idsOf(all)).toEqual(idsOf([...backlog, ...due]));
      return Math.max(...walks.map(({ requests }) => requests));
    };

    expect(await requestsBehind(400)).toBeLessThanOrEqual(await requestsBehind(120));
  });

  it("don't include those whose deliveries wait for later", async () => {
    const organizationId = newOrganizationId();
    const [early, late] = [newWebhookId(organizationId), newWebhookId(organizationId)];
    const due = await storeDelivery(table, { webhookId: early });
    await storeDelivery(table, { webhookId: early, dueAt: graceIsOver + 1 });
    await storeDelivery(table, { webhookId: late, dueAt: graceIsOver + 1 });

    expect(await findDueOf(table, organizationId, graceIsOver)).toMatchObject([
      { id: due.id, webhookId: early, dueAt: graceIsOver },
    ]);
  });

  it('are in a few partitions with known names', async () => {
    const { webhookId } = await storeDelivery(table);

    const counts = await Promise.all(
      shards.map(async (shard) => {
        const { Count } = await table.client.send(
          new QueryCommand({
            TableName: table.name,
            IndexName: 'gsi1',
            KeyConditionExpression: 'gsi1pk = :pk AND begins_with(gsi1sk, :endpoint)',
            ExpressionAttributeValues: {
              ':pk': duePartition(dueDeliveries, shard),
              ':endpoint': `${webhookId}#`,
            },
          }),
        );
        return Count ?? 0;
      }),
    );

    expect(counts.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
  });
});
