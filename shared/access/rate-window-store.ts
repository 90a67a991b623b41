import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { expiryAfter } from '#shared/table/expiry';
import {
  dayQuotaKey,
  type Key,
  organizationRateKey,
  rateDayKey,
  rateWindowKey,
} from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import type { ApiKeyId, OrganizationId } from '#shared/tokens/resource-id';
import { dayNumberOf, minuteOf, rateSpanOf, type WindowCount } from './rate-window.ts';

/** The attribute counts recipients; its name is from when each request counted as one. */
const rateWindowSchema = z.object({ requests: z.int() });
const minuteKeptForDays = 1 / 24;
/** Long enough to show the key's usual day. */
const dayKeptForDays = 35;

export type WindowDemand = { readonly recipients: number; readonly cap: number };

/** An addition is only made to a count of at most this. */
export type HighestCount = { readonly most: number };

const isWithinLimit = 'attribute_not_exists(requests) OR requests <= :most';

/** One call if the recipients fit; otherwise a second one counts one. */
export async function countMinuteOfKey(
  table: Table,
  id: ApiKeyId,
  now: number,
  { recipients, cap }: WindowDemand,
): Promise<WindowCount> {
  const expiresAt = expiryAfter(now, minuteKeptForDays);
  const add = (added: number, highest?: HighestCount) =>
    addTo(table, rateWindowKey(id, minuteOf(now)), expiresAt, added, highest);
  if (recipients > 1) {
    const fitting = await add(recipients, { most: cap - recipients });
    if (fitting !== undefined) return { count: fitting, fits: true };
  }
  const counted = (await add(1)) ?? 0;
  return { count: counted, fits: recipients === 1 && counted <= cap };
}

// These return the count before; if that's higher than `highest`, they count nothing and return `Infinity`.

export const countDayOfKey = (
  table: Table,
  id: ApiKeyId,
  now: number,
  recipients: number,
  highest?: HighestCount,
): Promise<number> => {
  const key = rateDayKey(id, dayNumberOf(now));
  return countBefore(table, key, expiryAfter(now, dayKeptForDays), recipients, highest);
};

/** Counts test emails, in their organization's day. */
export const countDayOfTests = (
  table: Table,
  id: OrganizationId,
  now: number,
  recipients: number,
  highest?: HighestCount,
): Promise<number> => {
  const key = dayQuotaKey(id, 'TESTS', dayNumberOf(now));
  return countBefore(table, key, expiryAfter(now, dayKeptForDays), recipients, highest);
};

/** Without `highest`, also counts an email that may not go out: that happens only once the span is used up. */
export const countSpanOfOrganization = (
  table: Table,
  id: OrganizationId,
  now: number,
  recipients: number,
  highest?: HighestCount,
): Promise<number> => {
  const key = organizationRateKey(id, rateSpanOf(now));
  return countBefore(table, key, expiryAfter(now, minuteKeptForDays), recipients, highest);
};

async function countBefore(
  table: Table,
  key: Key,
  expiresAt: number,
  recipients: number,
  highest: HighestCount | undefined,
): Promise<number> {
  const counted = await addTo(table, key, expiresAt, recipients, highest);
  return (counted ?? Infinity) - recipients;
}

/**
 * A plain UpdateItem: in a transaction, the counter would make concurrent sends conflict.
 *
 * @returns the new count; `undefined`, and nothing added, if the old one was above `highest`.
 */
async function addTo(
  table: Table,
  key: Key,
  expiresAt: number,
  recipients: number,
  highest?: HighestCount,
): Promise<number | undefined> {
  if (highest !== undefined && highest.most < 0) return undefined;
  const update = new UpdateCommand({
    TableName: table.name,
    Key: key,
    UpdateExpression: 'SET expiresAt = :expiresAt ADD requests :recipients',
    ...(highest && { ConditionExpression: isWithinLimit }),
    ExpressionAttributeValues: {
      ':expiresAt': expiresAt,
      ':recipients': recipients,
      ...(highest && { ':most': highest.most }),
    },
    ReturnValues: 'UPDATED_NEW',
  });
  let counted: number | undefined;
  await writeIf(async () => {
    const { Attributes } = await table.client.send(update);
    counted = rateWindowSchema.parse(Attributes).requests;
  });
  return counted;
}
