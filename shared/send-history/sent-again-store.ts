import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { RequestLog } from '#shared/observability/request-log';
import { sameSend } from '#shared/sending/send-items';
import { type Clause, hasAtMost, updateIf } from '#shared/table/conditional-update';
import { sendKey } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import { type SendId, slotIdIn } from '#shared/tokens/resource-id';

const maxNamed = 20;

const lacks =
  (again: SendId): Clause =>
  (place) => ({
    text: `NOT contains(#${place}, :${place})`,
    names: { [`#${place}`]: 'resentAs' },
    values: { [`:${place}`]: again },
  });

async function putSentAgain(table: Table, of: SendId, again: SendId): Promise<void> {
  const update = updateIf(sendKey(slotIdIn(of)), { append: { resentAs: [again] } }, [
    sameSend({ id: of }),
    lacks(again),
    hasAtMost('resentAs', maxNamed - 1),
  ]);
  await writeIf(() => table.client.send(new UpdateCommand({ TableName: table.name, ...update })));
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
