import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { clickedKey, type Key, openedKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import type { FeedbackId } from '#shared/tokens/resource-id';
import type { Click } from './tracking-token.ts';

/** When a tracked link or pixel was fetched, epoch milliseconds, and by whom. */
export type Hit = { readonly at: number; readonly isMachine: boolean };

/** Records an open: the send's first makes the event, further ones count up on it. */
export const recordOpen = (table: Table, feedbackId: FeedbackId, hit: Hit): Promise<void> =>
  recordHit(table, openedKey(feedbackId), { type: 'opened' }, hit);

/** Records a click: a link's first makes the event, further ones count up on it. */
export const recordClick = (
  table: Table,
  { feedbackId, destination }: Click,
  hit: Hit,
): Promise<void> =>
  recordHit(
    table,
    clickedKey(feedbackId, destination),
    { type: 'clicked', url: withoutSecrets(destination) },
    hit,
  );

async function recordHit(
  table: Table,
  key: Key,
  event: Readonly<Record<string, string>>,
  { at, isMachine }: Hit,
): Promise<void> {
  const facts = Object.entries({ ...event, ts: at, ...(!isMachine && { personTs: at }) });
  const assignments = facts.map(([name]) => `#${name} = if_not_exists(#${name}, :${name})`);
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: key,
      UpdateExpression: `SET ${assignments.join(', ')} ADD hits :one`,
      ExpressionAttributeNames: Object.fromEntries(facts.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':one': 1,
        ...Object.fromEntries(facts.map(([name, value]) => [`:${name}`, value])),
      },
    }),
  );
}

/** A link's query and fragment carry reset tokens and addresses; the timeline needs neither. */
function withoutSecrets(destination: string): string {
  const { origin, pathname } = new URL(destination);
  return origin + pathname;
}
