import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { webhookKey } from '#shared/table/keys';
import { readItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import type { WebhookId } from '#shared/tokens/resource-id';
import {
  type EndpointHealth,
  endpointHealthSchema,
  failingFrom,
  isRecovery,
  windowEndedBefore,
} from './endpoint-health.ts';
import { slownessAt } from './slow-answers.ts';
import type { Webhook } from './webhook.ts';

const isThere = 'attribute_exists(pk)';
const hasNoWindow = '(attribute_not_exists(health) OR health.since <= :ended)';
const hasWindow = 'health.since > :ended';
const isNotFailing = 'attribute_not_exists(failingSince)';
const isSameVersion = 'updatedAt = :version';
const isSameFailure = 'failingSince = :since';
const isThisWindow = 'health.since = :since';
const hasNoMoreExhausted = 'health.exhausted <= :succeeded';
const isEmpty = '(attribute_not_exists(slowUntil) OR slowUntil <= :empty)';
const holdsMore = '(slowUntil > :empty AND slowUntil < :full)';

/** Two concurrent attempts may both start a window, or one may end it while the other counts. */
const maxTries = 3;

/**
 * @returns the health including this delivery; `contended`, without counting it, if other attempts kept changing
 *   the window.
 */
export async function noteExhausted(
  table: Table,
  id: WebhookId,
  now: number,
): Promise<EndpointHealth | 'deleted' | 'contended'> {
  const ended = { ':ended': windowEndedBefore(now) };
  const begun = failingFrom(now);
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const counted = await update(table, id, {
      expression: 'SET health.exhausted = health.exhausted + :one',
      condition: hasWindow,
      values: { ...ended, ':one': 1 },
    });
    if (counted.written) return healthIn(counted.noted);
    const opened = await update(table, id, {
      expression: 'SET health = :begun',
      condition: `${isThere} AND ${hasNoWindow}`,
      values: { ...ended, ':begun': begun },
    });
    if (opened.written) return healthIn(opened.noted);
    if (opened.isDeleted) return 'deleted';
  }
  return 'contended';
}

/** Counts only in the window that was read. The success that makes the endpoint recover ends it. */
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
    if (recovered.written) return;
  }
  await update(table, id, {
    expression: 'SET health.delivered = health.delivered + :one',
    condition: isThisWindow,
    values: { ...since, ':one': 1 },
  });
}

/** Records only the first failure since a success, and none at an address the webhook had before a change. */
export async function noteFailing(
  table: Table,
  { id, updatedAt }: Webhook,
  now: number,
): Promise<void> {
  await update(table, id, failureAt(now, updatedAt));
}

/** Called for a success after failed attempts. */
export async function noteWorking(
  table: Table,
  id: WebhookId,
  failingSince: number,
): Promise<void> {
  await update(table, id, successAfter(failingSince));
}

/**
 * Counts a slow answer, as `slownessAt` says. Concurrent answers all count, because no write depends on the exact
 * value it finds.
 */
export async function noteSlowness(table: Table, id: WebhookId, now: number): Promise<void> {
  const { addedMs, empty, full } = slownessAt(now);
  const first = await update(table, id, {
    expression: 'SET slowUntil = :first',
    condition: `${isThere} AND ${isEmpty}`,
    values: { ':empty': empty, ':first': empty + addedMs },
  });
  if (first.written) return;
  await update(table, id, {
    expression: 'SET slowUntil = slowUntil + :added',
    condition: holdsMore,
    values: { ':empty': empty, ':full': full, ':added': addedMs },
  });
}

/** @returns the webhook afterwards; if it wasn't written, whether it exists. */
async function update(table: Table, id: WebhookId, note: Note) {
  let noted: StoredItem = {};
  const outcome = await writeIf(async () => {
    const { Attributes = {} } = await table.client.send(noteOf(table, id, note));
    noted = Attributes;
  });
  return outcome.written
    ? ({ written: true, noted } as const)
    : ({ written: false, isDeleted: outcome.existing === undefined } as const);
}

const healthIn = (item: StoredItem): EndpointHealth =>
  readItem('webhook', z.object({ health: endpointHealthSchema }), item).health;

type Note = {
  readonly expression: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, number | EndpointHealth>>;
};

const failureAt = (now: number, version: number): Note => ({
  expression: 'SET failingSince = :now',
  condition: `${isSameVersion} AND ${isNotFailing}`,
  values: { ':version': version, ':now': now },
});

const successAfter = (failingSince: number): Note => ({
  expression: 'REMOVE failingSince',
  condition: isSameFailure,
  values: { ':since': failingSince },
});

const noteOf = (table: Table, id: WebhookId, { expression, condition, values }: Note) =>
  new UpdateCommand({
    TableName: table.name,
    Key: webhookKey(id),
    UpdateExpression: expression,
    ConditionExpression: condition,
    ExpressionAttributeValues: { ...values },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
