import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { dayOf } from '#shared/access/rate-limit';
import { writeIf } from '#shared/table/condition-failure';
import { toSeconds } from '#shared/table/expiry';
import { uploadDayKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';

const uploadDaySchema = z.object({ uploaded: z.int() });

const keptForSeconds = 2 * 86_400;

export function openUploadBytesStore(table: Table) {
  /**
   * Counts an upload's bytes in its organization's day, in UTC, if they fit. One write, exact for requests at once.
   * A write whose answer was lost is repeated and may count twice: rather too much than too little.
   *
   * @returns whether they fit.
   */
  async function count(
    id: OrganizationId,
    now: number,
    size: number,
    most: number,
  ): Promise<boolean> {
    if (size > most) return false;
    const update = new UpdateCommand({
      TableName: table.name,
      Key: uploadDayKey(id, dayOf(now)),
      UpdateExpression: 'SET expiresAt = :expiresAt ADD uploaded :size',
      ConditionExpression: 'attribute_not_exists(uploaded) OR uploaded <= :room',
      ExpressionAttributeValues: {
        ':expiresAt': toSeconds(now) + keptForSeconds,
        ':size': size,
        ':room': most - size,
      },
    });
    const { written } = await writeIf(() => table.client.send(update));
    return written;
  }

  /** How many bytes the organization has asked to upload in the day of `now`. */
  async function read(id: OrganizationId, now: number): Promise<number> {
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: uploadDayKey(id, dayOf(now)) }),
    );
    return Item === undefined ? 0 : uploadDaySchema.parse(Item).uploaded;
  }

  return { count, read };
}
export type UploadBytesStore = ReturnType<typeof openUploadBytesStore>;
