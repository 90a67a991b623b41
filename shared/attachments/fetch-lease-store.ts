import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { longestAttemptMs } from '#shared/config/attempt-time';
import { toSeconds } from '#shared/table/expiry';
import { fetchLeaseKey, type Key } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import { newNonce, type OrganizationId } from '#shared/tokens/resource-id';

/** Outlasts the request that has it, so a lease whose process died ends by itself, and none ends too early. */
export const fetchLeaseMs = longestAttemptMs;

const keptForSeconds = 86_400;

const isFree = 'attribute_not_exists(heldUntil) OR heldUntil <= :now';

export type FetchLease = { readonly release: () => Promise<void> };

/** An organization has a few places, each an item: so taking one is one conditional write, and no two hold it. */
export function openFetchLeaseStore(table: Table) {
  const write = (Key: Key, condition: string, values: Readonly<Record<string, unknown>>) =>
    writeIf(() =>
      table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key,
          UpdateExpression: 'SET heldBy = :holder, heldUntil = :until, expiresAt = :expiresAt',
          ConditionExpression: condition,
          ExpressionAttributeValues: values,
        }),
      ),
    );

  /**
   * If the answer of a write is lost, its repetition finds the place taken and goes on to the next: then a place is held
   * for nothing until the lease ends.
   *
   * @returns `undefined` if all places are held.
   */
  async function take(
    id: OrganizationId,
    places: number,
    now: number,
  ): Promise<FetchLease | undefined> {
    const holder = newNonce();
    const expiresAt = toSeconds(now) + keptForSeconds;
    const first = Math.floor(Math.random() * places);
    for (let tried = 0; tried < places; tried += 1) {
      const key = fetchLeaseKey(id, (first + tried) % places);
      const taking = { ':holder': holder, ':until': now + fetchLeaseMs, ':expiresAt': expiresAt };
      const { written } = await write(key, isFree, { ...taking, ':now': now });
      if (!written) continue;
      return {
        release: async () => {
          // Not if the lease has ended and another request has the place.
          await write(key, 'heldBy = :holder', { ...taking, ':until': 0 });
        },
      };
    }
    return undefined;
  }

  return { take };
}
export type FetchLeaseStore = ReturnType<typeof openFetchLeaseStore>;
