import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { longestAttemptMs } from '#shared/config/send-attempt-time';
import { anyOf, is, isAbsent, isAtMost, updateIf } from '#shared/table/conditional-update';
import { toSeconds } from '#shared/table/expiry';
import { fetchLeaseKey, type Key } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import { newNonce, type OrganizationId } from '#shared/tokens/resource-id';

/** Longer than the request that has it, so a lease expires if its process died, and never too early. */
export const fetchLeaseMs = longestAttemptMs;

const keptForSeconds = 86_400;

/** A place that is held. */
export type FetchLease = { readonly place: Key; readonly holder: string };

/**
 * An organization has a few places, each an item: so taking one is one conditional write, and no two hold it. If the
 * answer of a write is lost, its repetition finds the place taken and goes on to the next: then a place is held for
 * nothing until the lease ends.
 *
 * @returns `undefined` if all places are held.
 */
export async function takeFetchLease(
  table: Table,
  id: OrganizationId,
  places: number,
  now: number,
): Promise<FetchLease | undefined> {
  const holder = newNonce();
  const expiresAt = toSeconds(now) + keptForSeconds;
  const held = { heldBy: holder, heldUntil: now + fetchLeaseMs, expiresAt };
  const isFree = anyOf(isAbsent('heldUntil'), isAtMost('heldUntil', now));
  const first = Math.floor(Math.random() * places);
  for (let tried = 0; tried < places; tried += 1) {
    const place = fetchLeaseKey(id, (first + tried) % places);
    if (await changePlace(table, updateIf(place, { set: held }, [isFree]))) {
      return { place, holder };
    }
  }
  return undefined;
}

/** Does nothing if the lease has ended and another request has the place. */
export async function releaseFetchLease(
  table: Table,
  { place, holder }: FetchLease,
): Promise<void> {
  await changePlace(table, updateIf(place, { set: { heldUntil: 0 } }, [is('heldBy', holder)]));
}

async function changePlace(table: Table, update: ReturnType<typeof updateIf>): Promise<boolean> {
  const command = new UpdateCommand({ TableName: table.name, ...update });
  return (await writeIf(() => table.client.send(command))).written;
}
