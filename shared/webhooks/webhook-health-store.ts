import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { writeIf } from '#shared/table/condition-failure';
import { webhookKey } from '#shared/table/keys';
import { readItem } from '#shared/table/read-item';
import type { Table } from '#shared/table/table-client';
import type { WebhookId } from '#shared/tokens/resource-id';
import {
  type EndpointHealth,
  failingFrom,
  isRecovery,
  windowEndedBefore,
} from './endpoint-health.ts';
import { type Webhook, webhookSchema } from './webhook.ts';

const isThere = 'attribute_exists(pk)';
const hasNoWindow = '(attribute_not_exists(health) OR health.since <= :ended)';
const hasWindow = 'health.since > :ended';
const isThisWindow = 'health.since = :since';
const hasNoMoreExhausted = 'health.exhausted <= :succeeded';

/** Two attempts at once may both begin a window, or one ends it as the other counts. */
const maxTries = 3;

/**
 * Counts a delivery that used up its attempts. `now` in epoch milliseconds.
 *
 * @returns the health with it; `undefined` when the webhook was deleted.
 */
export async function noteExhausted(
  table: Table,
  id: WebhookId,
  now: number,
): Promise<EndpointHealth | undefined> {
  const ended = { ':ended': windowEndedBefore(now) };
  const begun = failingFrom(now);
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const counted = await update(table, id, {
      expression: 'SET health.exhausted = health.exhausted + :one',
      condition: hasWindow,
      values: { ...ended, ':one': 1 },
    });
    if (counted !== undefined) return counted.health;
    const opened = await update(table, id, {
      expression: 'SET health = :begun',
      condition: `${isThere} AND ${hasNoWindow}`,
      values: { ...ended, ':begun': begun },
    });
    if (opened !== undefined) return opened.health;
  }
  return undefined;
}

/**
 * Counts a delivery that succeeded while a window is open. The success that makes the endpoint recover ends
 * the window. Only the window that was read counts it.
 */
export async function noteDelivered(
  table: Table,
  id: WebhookId,
  health: EndpointHealth,
): Promise<void> {
  const since = { ':since': health.since };
  if (isRecovery(health)) {
    const recovered = await update(table, id, {
      expression: 'REMOVE health',
      condition: `${isThisWindow} AND ${hasNoMoreExhausted}`,
      values: { ...since, ':succeeded': health.delivered + 1 },
    });
    if (recovered !== undefined) return;
  }
  await update(table, id, {
    expression: 'SET health.delivered = health.delivered + :one',
    condition: isThisWindow,
    values: { ...since, ':one': 1 },
  });
}

type HealthUpdate = {
  readonly expression: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, number | EndpointHealth>>;
};

/** @returns the webhook as it is then; `undefined` when the condition does not hold. */
async function update(
  table: Table,
  id: WebhookId,
  { expression, condition, values }: HealthUpdate,
): Promise<Pick<Webhook, 'health'> | undefined> {
  let attributes: unknown;
  const { written } = await writeIf(async () => {
    const { Attributes } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: webhookKey(id),
        UpdateExpression: expression,
        ConditionExpression: condition,
        ExpressionAttributeValues: { ...values },
        ReturnValues: 'ALL_NEW',
      }),
    );
    attributes = Attributes;
  });
  return written ? readItem('webhook', webhookSchema, attributes) : undefined;
}

export const openWebhookHealthStore = (table: Table) => ({
  /** Counts a delivery that used up its attempts, and returns the health with it. */
  noteExhausted: (id: WebhookId, now: number) => noteExhausted(table, id, now),
  /** Counts a delivery that succeeded in the window of this health. */
  noteDelivered: (id: WebhookId, health: EndpointHealth) => noteDelivered(table, id, health),
});
export type WebhookHealthStore = ReturnType<typeof openWebhookHealthStore>;
