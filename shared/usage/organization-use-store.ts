import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { DayUse } from '#shared/organizations/limits-in-force';
import { organizationSchema } from '#shared/organizations/organization';
import { organizationKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import type { OrganizationId } from '#shared/tokens/resource-id';

// The function that counts may read these attributes and write only the last two.

const boundsSchema = z.pick(organizationSchema, {
  limits: true,
  dayUse: true,
  overShareUntil: true,
});

export type OrganizationBounds = z.infer<typeof boundsSchema>;

/** Eventually consistent: half the price, and the figures lag the sends by some seconds anyway. */
export async function readBounds(
  table: Table,
  id: OrganizationId,
): Promise<OrganizationBounds | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: organizationKey(id),
      ProjectionExpression: 'pk, #limits, dayUse, overShareUntil',
      ExpressionAttributeNames: { '#limits': 'limits' },
    }),
  );
  return Item === undefined ? undefined : boundsSchema.parse(Item);
}

/** Does nothing if a higher use or a later day is recorded. */
export async function noteDayUse(table: Table, id: OrganizationId, use: DayUse): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: organizationKey(id),
    UpdateExpression: 'SET dayUse = :use',
    ConditionExpression: `${isThere} AND (${isFirst} OR ${isOfEarlierDay} OR (${isMore}))`,
    ExpressionAttributeNames: { '#day': 'day', '#stored': 'stored' },
    ExpressionAttributeValues: {
      ':use': use,
      ':day': use.day,
      ':recipients': use.recipients,
      ':stored': use.stored,
    },
  });
  await writeIf(() => table.client.send(update));
}

export async function noteOverShare(
  table: Table,
  id: OrganizationId,
  until: number,
): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: organizationKey(id),
    UpdateExpression: 'SET overShareUntil = :until',
    ConditionExpression: isThere,
    ExpressionAttributeValues: { ':until': until },
  });
  await writeIf(() => table.client.send(update));
}

const isThere = 'attribute_exists(pk)';

const isFirst = 'attribute_not_exists(dayUse)';

const isOfEarlierDay = 'dayUse.#day < :day';

const isMore =
  'dayUse.#day = :day AND (dayUse.recipients < :recipients OR dayUse.#stored < :stored)';
