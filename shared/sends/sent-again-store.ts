import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { RequestLog } from '#shared/observability/request-log';
import { isSameSend } from '#shared/sending/send-items';
import { sendKey } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import { ownPartIn, type SendId, slotIdIn } from '#shared/tokens/resource-id';

const mostNamed = 20;

async function putSentAgain(table: Table, of: SendId, again: SendId): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: sendKey(slotIdIn(of)),
    UpdateExpression: 'SET resentAs = list_append(if_not_exists(resentAs, :none), :added)',
    ConditionExpression: [
      isSameSend,
      'NOT contains(resentAs, :again)',
      `attribute_not_exists(resentAs[${mostNamed - 1}])`,
    ].join(' AND '),
    ExpressionAttributeValues: {
      ':nonce': ownPartIn(of),
      ':none': [],
      ':added': [again],
      ':again': again,
    },
  });
  await writeIf(() => table.client.send(update));
}

/**
 * The new send has the link from its claim on. If the process dies before this write, the original gets it when the
 * request is repeated with its key.
 */
export async function linkSentAgain(
  table: Table,
  { resendOf }: { readonly resendOf?: SendId },
  again: SendId,
  log: RequestLog,
): Promise<void> {
  if (resendOf === undefined) return;
  try {
    await putSentAgain(table, resendOf, again);
  } catch (error) {
    log.error('send not linked to the one it repeats', error);
  }
}
