import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toSeconds } from '#shared/table/expiry';
import { identityChangesKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { hourEndOf, hourOf } from '#shared/timing/hour';
import type { OrganizationId } from '#shared/tokens/resource-id';

const countSchema = z.object({ changes: z.int() });

/** The rows expire with their hour. */
export const openIdentityChangeStore = (table: Table) => ({
  async count(organizationId: OrganizationId, now: number): Promise<number> {
    const { Attributes } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: identityChangesKey(organizationId, hourOf(now)),
        UpdateExpression: 'SET expiresAt = :expiresAt ADD changes :one',
        ExpressionAttributeValues: { ':expiresAt': toSeconds(hourEndOf(now)), ':one': 1 },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    return countSchema.parse(Attributes).changes;
  },
});
export type IdentityChangeStore = ReturnType<typeof openIdentityChangeStore>;
