import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  dueIdentityIndexPartition,
  organizationOfPartition,
  sortableTime,
} from '#shared/table/keys';
import { tableIndexes } from '#shared/table/table-attributes';
import type { Table } from '#shared/table/table-client';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';

// When an identity is due: `identity.ts`. How often that is checked: `infra/constructs/pipelines/identity-checks.ts`.

const keySchema = z.object({ pk: z.string() });

export const openDueIdentityStore = (table: Table) => ({
  /** The organizations whose identities are due for a check at the moment `now`, the longest due first. */
  async find(now: number, limit: number): Promise<OrganizationId[]> {
    const { Items = [] } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: tableIndexes.gsi1.name,
        KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :end',
        ExpressionAttributeValues: {
          ':pk': dueIdentityIndexPartition,
          ':end': sortableTime(now + 1),
        },
        Limit: limit,
      }),
    );
    return Items.map((item) =>
      organizationIdSchema.parse(organizationOfPartition(keySchema.parse(item).pk)),
    );
  },
});
export type DueIdentityStore = ReturnType<typeof openDueIdentityStore>;
