import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toSeconds } from '#shared/table/expiry';
import { identityChangesKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';

const hourMs = 3_600_000;
const countSchema = z.object({ changes: z.int() });

export const hourEndOf = (now: number): number => (Math.floor(now / hourMs) + 1) * hourMs;

/** The rows expire with their hour. */
export const openIdentityChangeStore = (table: Table) => ({
  async count(organizationId: OrganizationId, now: number): Promise<number> {
    const hour = Math.floor(now / hourMs);
    const { Attributes } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: identityChangesKey(organizationId, hour),
        UpdateExpression: 'SET expiresAt = :expiresAt ADD changes :one',
        ExpressionAttributeValues: { ':expiresAt': toSeconds(hourEndOf(now)), ':one': 1 },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    return countSchema.parse(Attributes).changes;
  },
});
export type IdentityChangeStore = ReturnType<typeof openIdentityChangeStore>;
