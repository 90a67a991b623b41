import * as z from 'zod/mini';
import type { Send } from '#shared/sending/send';
import { readSend } from '#shared/sending/send-items';
import { batchGet } from '#shared/table/batch-get';
import { type List, type ListRange, readListEntries } from '#shared/table/list-reader';
import {
  recipientIndexPartition,
  sendKey,
  sendListPartition,
  sendListShards,
  slotIdAt,
} from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import type { ContactId, OrganizationId } from '#shared/tokens/resource-id';
import { type ListedSend, listedAt, type SendPosition, sendPositionSchema } from './send-list.ts';

/** All sends of an organization, by time. */
const listOf = (organizationId: OrganizationId): List<SendPosition> => ({
  index: 'gsi2',
  partitions: Array.from({ length: sendListShards }, (_, shard) =>
    sendListPartition(organizationId, shard),
  ),
  positionSchema: sendPositionSchema,
});

/** The sends whose `to` is the contact's address, by time. */
const recipientListOf = (contactId: ContactId): List<SendPosition> => ({
  index: 'gsi3',
  partitions: [recipientIndexPartition(contactId)],
  positionSchema: sendPositionSchema,
});

export function openSendListStore(table: Table) {
  /** Finds at most `limit` entries of a list of sends, newest first. */
  async function findSends(list: List<SendPosition>, range: ListRange): Promise<ListedSend[]> {
    const entries = await readListEntries(table, list, range);
    return entries.map(({ position, item }) => ({
      slotId: slotIdAt(z.string().parse(item['pk'])),
      position,
    }));
  }

  const find = (organizationId: OrganizationId, range: ListRange): Promise<ListedSend[]> =>
    findSends(listOf(organizationId), range);

  /**
   * Finds at most `limit` sends whose `to` is the contact's address, newest first. It does not find sends that
   * have the address in cc or bcc only.
   */
  const findTo = (contactId: ContactId, range: ListRange): Promise<ListedSend[]> =>
    findSends(recipientListOf(contactId), range);

  /**
   * Reads the sends of up to 100 entries, strongly consistent, in their order. An entry whose send is expired,
   * or whose slot has another send by now, brings `undefined`. `now` in epoch milliseconds.
   */
  async function get(listed: readonly ListedSend[], now: number): Promise<(Send | undefined)[]> {
    const itemOf = await batchGet(
      table,
      listed.map(({ slotId }) => sendKey(slotId)),
    );
    return listed.map((entry) => {
      const send = readSend(itemOf(sendKey(entry.slotId)), now);
      return send !== undefined && listedAt(send) === entry.position ? send : undefined;
    });
  }

  return { find, findTo, get };
}
export type SendListStore = ReturnType<typeof openSendListStore>;
