import * as z from 'zod/mini';
import { limitDeliveries } from '#shared/access/limit-day';
import { knowsMaxAttempts } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { maxExamined } from '#shared/table/list-search';
import { dayMs } from '#shared/timing/day';
import { inParallel } from '#shared/timing/in-parallel';
import { momentSchema } from '#shared/timing/moment';
import { newDeliveryId } from '#shared/tokens/delivery-id';
import { exampleIds } from '#shared/tokens/example-values';
import { type Delivery, redeliveryOf } from '#shared/webhook-deliveries/delivery';
import { logPositionSchema, readDeliveryLog } from '#shared/webhook-deliveries/delivery-log-store';
import { longestTriedMs } from '#shared/webhook-deliveries/longest-tried';
import { storeFirstRedelivery } from '#shared/webhook-deliveries/redelivery-store';
import type { Webhook } from '#shared/webhooks/webhook';
import { findWebhook } from '#shared/webhooks/webhook-management';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/webhooks/{id}/redeliver-failed',
    access: { key: 'required', scope: ['webhooks_redeliver', 'manage_organization'] },
    ...webhookPath,
    body: z.strictObject({
      since: momentSchema,
      cursor: z.exactOptional(z.string()),
    }),
    answers: {
      202: {
        body: z.object({ redelivered: z.int(), nextCursor: z.nullable(z.string()) }),
        description: 'How many deliveries will be repeated.',
        example: { redelivered: 12, nextCursor: null },
      },
    },
    errors: ['delivery_limit_reached'],
    uses: { maxAttempts: knowsMaxAttempts },
    lambda: {
      stack: 'Webhooks',
      countsInDay: true,
      tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Webhooks',
      summary: 'Repeat the failed deliveries of a webhook endpoint',
      description:
        'Repeats every delivery that failed since the given time and was not repeated before, even while the endpoint is disabled. The scheduled run makes them. If the answer has a `nextCursor` there may be more: repeat the request with it as `cursor`, and the same `since`.',
      fields: {
        id: 'The webhook endpoint.',
        since: 'Epoch milliseconds, or ISO 8601 with a time zone.',
        redelivered: 'How many deliveries this request repeats.',
      },
      example: { path: { id: exampleIds.webhook }, body: { since: '2026-11-21T09:00:00Z' } },
    },
  },
  // Repeats deliveries that weren't repeated before, newest first, as many as one request may examine. One transaction
  // stores a redelivery and marks its original, so nothing is repeated twice.
  //
  // This doesn't wake the queue: the scheduled run makes the redeliveries within a minute. It limits each endpoint's
  // share, so a receiver that has just come back isn't flooded, and no first attempt waits behind hundreds of old
  // deliveries.
  //
  // A disabled webhook gets them too; their outcomes don't affect its health.
  async (
    { caller, path: { id }, body: { since, cursor } },
    { table, now, limitsOfDeployment, maxAttempts },
  ) => {
    const { organizationId, cursorOwner: owner } = caller;
    const webhook = await findWebhook(table, id, organizationId);
    const scope = { list: `webhooks/${id}/redeliver-failed`, owner, filters: { since } };
    const before = unsealCursor(cursor, logPositionSchema, scope);
    const { deliveries, next } = await readDeliveryLog(
      table,
      {
        webhookId: id,
        before,
        limit: maxExamined,
        since: earliestCreation(webhook, since, maxAttempts),
        matches: (delivery) => isToBeRedelivered(delivery) && delivery.updatedAt >= since,
      },
      now(),
    );
    const counted = await limitDeliveries(caller, deliveries.length, now(), {
      table,
      limitsOfDeployment,
    });
    let redelivered = 0;
    await inParallel(deliveries, concurrency, async (original) => {
      const dueAt = now();
      const redelivery = { ...redeliveryOf(original, newDeliveryId(original.id), dueAt), dueAt };
      const outcome = await storeFirstRedelivery(table, original, redelivery);
      if (outcome === 'stored') redelivered += 1;
    });
    // Requests beside this one repeated the others.
    if (redelivered < deliveries.length) await counted.giveBack(deliveries.length - redelivered);
    return { redelivered, nextCursor: sealCursor(next, scope) };
  },
);

/**
 * The log is by creation. A schedule that stood still for up to a day has made deliveries fail later. A pause that is over,
 * or a number of attempts that was changed, may have made them fail at any later time: then the whole log is read.
 *
 * @returns the earliest creation of a delivery that failed at `since` or later; undefined if that may be any.
 */
function earliestCreation(
  webhook: Webhook,
  since: number,
  maxAttempts: number,
): number | undefined {
  const earliest = since - longestTriedMs(webhook, maxAttempts) - dayMs;
  return webhook.updatedAt <= earliest ? earliest : undefined;
}

const isToBeRedelivered = ({ status, redeliveredAs }: Delivery): boolean =>
  status === 'failed' && redeliveredAs === undefined;

const concurrency = 16;
