import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import { toSeconds } from '#shared/table/expiry';
import { identityChangesKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';

/** Each makes a few calls to SES, which allows about one a second for the whole account. */
const mostChangesInHour = 20;
const hourMs = 3_600_000;
const countSchema = z.object({ changes: z.int() });

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
type IdentityChangeStore = ReturnType<typeof openIdentityChangeStore>;

const hourEndOf = (now: number): number => (Math.floor(now / hourMs) + 1) * hourMs;

/** Counts a change to an organization's domains, before SES is called. */
export async function admitIdentityChange(
  organizationId: OrganizationId,
  { identityChanges, now }: { readonly identityChanges: IdentityChangeStore; now(): number },
): Promise<void> {
  const at = now();
  if ((await identityChanges.count(organizationId, at)) <= mostChangesInHour) return;
  throw new ServiceError(
    'rate_limited',
    `An organization may change its domains ${mostChangesInHour} times an hour. Nothing was changed: wait for Retry-After. To check progress, read the domain instead.`,
    { retryAfterSeconds: secondsUntil(hourEndOf(at), at) },
  );
}

export const changedMeanwhile = (): ServiceError =>
  new ServiceError(
    'concurrent_change',
    'Another request changed the domain, or it is being removed, which takes seconds. Read it again, then repeat your change.',
  );
