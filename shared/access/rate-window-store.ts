import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toSeconds } from '#shared/table/expiry';
import {
  dayQuotaKey,
  type Key,
  organizationRateKey,
  rateDayKey,
  rateWindowKey,
} from '#shared/table/keys';
import { writeIf } from '#shared/table/single-write';
import type { Table } from '#shared/table/table-client';
import type { ApiKeyId, OrganizationId } from '#shared/tokens/resource-id';
import { dayNumberOf, minuteOf, rateSpanOf, type WindowCount } from './rate-window.ts';

/** `requests` counts recipients; the name is from when each request counted as one. */
const rateWindowSchema = z.object({ requests: z.int() });
const minuteKeptForSeconds = 3_600;
/** Long enough to show the key's usual day. */
const dayKeptForSeconds = 35 * 86_400;

export type WindowDemand = { readonly recipients: number; readonly cap: number };

const hasRoom = 'attribute_not_exists(requests) OR requests <= :most';

export function openRateWindowStore(table: Table) {
  const count = (id: ApiKeyId, now: number, demand: WindowDemand): Promise<WindowCount> =>
    countIn(rateWindowKey(id, minuteOf(now)), toSeconds(now) + minuteKeptForSeconds, demand);

  const countOfDay = (id: ApiKeyId, now: number, demand: WindowDemand): Promise<WindowCount> =>
    countIn(rateDayKey(id, dayNumberOf(now)), toSeconds(now) + dayKeptForSeconds, demand);

  /**
   * Without `room`, also counts an email that may not go out: that happens only once the span is used up.
   *
   * @returns the count before this email, `Infinity` if there was no room.
   */
  const countOfOrganization = (
    id: OrganizationId,
    now: number,
    recipients: number,
    room?: Room,
  ): Promise<number> =>
    countBefore(
      organizationRateKey(id, rateSpanOf(now)),
      toSeconds(now) + minuteKeptForSeconds,
      recipients,
      room,
    );

  /** Counts test emails, in their organization's day. */
  const countOfTests = (
    id: OrganizationId,
    now: number,
    recipients: number,
    room?: Room,
  ): Promise<number> =>
    countBefore(
      dayQuotaKey(id, 'TESTS', dayNumberOf(now)),
      toSeconds(now) + dayKeptForSeconds,
      recipients,
      room,
    );

  async function countBefore(
    key: Key,
    expiresAt: number,
    recipients: number,
    room?: Room,
  ): Promise<number> {
    const counted = await addTo(table, key, expiresAt, recipients, room);
    return (counted ?? Infinity) - recipients;
  }

  /** One call if the recipients fit; otherwise a second one counts one. */
  async function countIn(
    key: Key,
    expiresAt: number,
    { recipients, cap }: WindowDemand,
  ): Promise<WindowCount> {
    if (recipients > 1) {
      const room = { most: cap - recipients };
      const count = await addTo(table, key, expiresAt, recipients, room);
      if (count !== undefined) return { count, fits: true };
    }
    const count = (await addTo(table, key, expiresAt, 1)) ?? 0;
    return { count, fits: recipients === 1 && count <= cap };
  }

  return { count, countOfDay, countOfTests, countOfOrganization };
}
export type RateWindowStore = ReturnType<typeof openRateWindowStore>;

/** The highest count before an addition with which it's still made. */
export type Room = { readonly most: number };

/**
 * A plain UpdateItem: in a transaction, the counter would make concurrent sends conflict.
 *
 * @returns the count, `undefined` if there was no room.
 */
async function addTo(
  table: Table,
  key: Key,
  expiresAt: number,
  count: number,
  room?: Room,
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
