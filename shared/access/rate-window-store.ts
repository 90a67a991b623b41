import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toSeconds } from '#shared/table/expiry';
import { type Key, organizationRateKey, rateDayKey, rateWindowKey } from '#shared/table/keys';
import { writeIf } from '#shared/table/single-write';
import type { Table } from '#shared/table/table-client';
import type { ApiKeyId, OrganizationId } from '#shared/tokens/resource-id';
import { dayOf, minuteOf, rateSpanOf, type WindowCount } from './rate-limit.ts';

/** Named when a request counted one, whatever recipients it had. */
const rateWindowSchema = z.object({ requests: z.int() });
const minuteKeptForSeconds = 3_600;
/** So long, one can see what a usual day of the key is. */
const dayKeptForSeconds = 35 * 86_400;

/** What a request asks of a window: how many recipients it has, and how many the window may have. */
export type WindowDemand = { readonly recipients: number; readonly cap: number };

const hasRoom = 'attribute_not_exists(requests) OR requests <= :most';

export function openRateWindowStore(table: Table) {
  /** Counts a request in the key's current minute, and answers what the minute has. */
  const count = (id: ApiKeyId, now: number, demand: WindowDemand): Promise<WindowCount> =>
    countIn(rateWindowKey(id, minuteOf(now)), toSeconds(now) + minuteKeptForSeconds, demand);

  /** Counts a request in the key's current day, in UTC, and answers what the day has. */
  const countOfDay = (id: ApiKeyId, now: number, demand: WindowDemand): Promise<WindowCount> =>
    countIn(rateDayKey(id, dayOf(now)), toSeconds(now) + dayKeptForSeconds, demand);

  /**
   * Counts an email's recipients in its organization's current ten seconds. All of them count, whether the email may go
   * out or not: the window is over soon.
   *
   * @returns how many the window had before.
   */
  async function countOfOrganization(
    id: OrganizationId,
    now: number,
    recipients: number,
  ): Promise<number> {
    const key = organizationRateKey(id, rateSpanOf(now));
    const counted = await add(key, toSeconds(now) + minuteKeptForSeconds, recipients);
    return (counted ?? recipients) - recipients;
  }

  /** One recipient is one call, as is every number of them that fits. What doesn't fit costs another, to count one. */
  async function countIn(
    key: Key,
    expiresAt: number,
    { recipients, cap }: WindowDemand,
  ): Promise<WindowCount> {
    if (recipients > 1) {
      const room = { most: cap - recipients };
      const count = await add(key, expiresAt, recipients, room);
      if (count !== undefined) return { count, fits: true };
    }
    const count = (await add(key, expiresAt, 1)) ?? 0;
    return { count, fits: recipients === 1 && count <= cap };
  }

  /**
   * It is an UpdateItem of its own, because in a transaction the counter would make concurrent sends conflict.
   *
   * @param room if given, how high the count may stand before.
   * @returns the count, `undefined` where it had no room.
   */
  async function add(
    key: Key,
    expiresAt: number,
    count: number,
    room?: { readonly most: number },
  ): Promise<number | undefined> {
    if (room !== undefined && room.most < 0) return undefined;
    const update = new UpdateCommand({
      TableName: table.name,
      Key: key,
      UpdateExpression: 'SET expiresAt = :expiresAt ADD requests :count',
      ...(room && { ConditionExpression: hasRoom }),
      ExpressionAttributeValues: {
        ':expiresAt': expiresAt,
        ':count': count,
        ...(room && { ':most': room.most }),
      },
      ReturnValues: 'UPDATED_NEW',
    });
    let requests: number | undefined;
    await writeIf(async () => {
      const { Attributes } = await table.client.send(update);
      requests = rateWindowSchema.parse(Attributes).requests;
    });
    return requests;
  }

  return { count, countOfDay, countOfOrganization };
}
export type RateWindowStore = ReturnType<typeof openRateWindowStore>;
