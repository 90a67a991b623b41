import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expiryAfter } from '#shared/table/expiry';
import { refusalKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import { minuteStartOf } from './rate-window.ts';
import { placesOf, type Refusal, refusalRetentionDays } from './refusal.ts';

const isFreeOrAlike =
  'attribute_not_exists(pk) OR (#route = :route AND #code = :code AND #fields = :fields)';

/**
 * A write repeated after a lost answer counts twice.
 *
 * @returns `full` if other kinds have all the places that this one may take.
 */
export async function noteRefusal(
  table: Table,
  { count, shape, requestIds = [], ...refusal }: Refusal,
  givesUpAfterMs = 1_000,
): Promise<'noted' | 'full'> {
  const abortSignal = AbortSignal.timeout(givesUpAfterMs);
  const optional = [
    ...(shape === undefined ? [] : [['shape', shape] as const]),
    ...(requestIds.length < 2 ? [] : [['requestIds', requestIds] as const]),
  ];
  for (const place of placesOf(refusal)) {
    const update = new UpdateCommand({
      TableName: table.name,
      Key: refusalKey(refusal.apiKeyId, minuteStartOf(refusal.at), place),
      UpdateExpression: `SET ${[...always, ...optional.map(([name]) => `${name} = :${name}`)].join(', ')} ADD #count :count`,
      ConditionExpression: isFreeOrAlike,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: {
        ':apiKeyId': refusal.apiKeyId,
        ':route': refusal.route,
        ':status': refusal.status,
        ':code': refusal.code,
        ':fields': refusal.fields,
        ':message': refusal.message,
        ':at': refusal.at,
        ':requestId': refusal.requestId,
        ':expiresAt': expiryAfter(refusal.at, refusalRetentionDays),
        ':count': count,
        ...Object.fromEntries(optional.map(([name, value]) => [`:${name}`, value])),
      },
    });
    const { written } = await writeIf(() => table.client.send(update, { abortSignal }));
    if (written) return 'noted';
  }
  return 'full';
}

const always = [
  'apiKeyId = :apiKeyId',
  '#route = :route',
  '#status = :status',
  '#code = :code',
  '#fields = :fields',
  '#message = :message',
  '#at = :at',
  'requestId = :requestId',
  'expiresAt = :expiresAt',
];

/** DynamoDB reserves most of these words. */
const names = {
  '#route': 'route',
  '#status': 'status',
  '#code': 'code',
  '#fields': 'fields',
  '#message': 'message',
  '#at': 'at',
  '#count': 'count',
};
