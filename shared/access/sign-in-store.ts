import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { writeIf } from '#shared/table/condition-failure';
import { apiKeyKey } from '#shared/table/keys';
import { retryConflicts } from '#shared/table/retry-conflicts';
import type { Table } from '#shared/table/table-client';
import type { ApiKey } from './api-key.ts';
import type { SignIn } from './sign-in.ts';

const isThere = 'attribute_exists(pk)';
const nobodySignedIn = 'attribute_not_exists(signIns)';
const areTheSame = 'signIns = :before';

/**
 * Puts other sign-ins in the place of those that the key was read with, unless they have changed since: of
 * two requests that use one link, one finds it gone. A change of the key itself does not meet this write, which
 * names no other attribute: the functions that sign people in may write no other.
 *
 * @returns whether they were written.
 */
export async function replaceSignIns(
  table: Table,
  { id, signIns: before }: Pick<ApiKey, 'id' | 'signIns'>,
  after: readonly SignIn[],
): Promise<boolean> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: apiKeyKey(id),
    UpdateExpression: 'SET signIns = :after',
    ConditionExpression: `${isThere} AND ${before === undefined ? nobodySignedIn : areTheSame}`,
    ExpressionAttributeValues: {
      ':after': after,
      ...(before !== undefined && { ':before': before }),
    },
  });
  const { written } = await writeIf(() => retryConflicts(() => table.client.send(update)));
  return written;
}

export const openSignInStore = (table: Table) => ({
  replace: (apiKey: Pick<ApiKey, 'id' | 'signIns'>, after: readonly SignIn[]) =>
    replaceSignIns(table, apiKey, after),
});
export type SignInStore = ReturnType<typeof openSignInStore>;
