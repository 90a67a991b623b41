import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { sendKey } from '#shared/table/send-keys';
import { openTable } from '#shared/table/table-client';
import { slotIdIn } from '#shared/tokens/resource-id';
import type { StackDescription } from '../../infra/local/stack.ts';
import { itemSize } from './item-size.ts';
import { postSend } from './post-send.ts';
import { atMost, type Row } from './row.ts';
import { putTypicalOrganization, typicalEmail } from './typical-send.ts';

/** What one write unit takes. */
const mostBytes = 1_024;

/** The size of the one item of a typical send that is settled. */
export async function measureSendItem({ baseUrl, tableName }: StackDescription): Promise<Row> {
  const table = openTable(tableName);
  const { sendKey: apiKey } = await putTypicalOrganization(table);
  const options = { email: typicalEmail, idempotencyKey: randomUUID() };
  const { sendId } = await postSend(baseUrl, apiKey, options);
  const { Item = {} } = await table.client.send(
    new GetCommand({ TableName: tableName, Key: sendKey(slotIdIn(sendId)), ConsistentRead: true }),
  );
  return atMost('Item of a typical send, settled: bytes', itemSize(marshall(Item)), mostBytes);
}
