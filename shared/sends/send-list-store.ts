import * as z from 'zod/mini';
import { type Send, type SendStatus, stateAt } from '#shared/sending/send';
import { readSend } from '#shared/sending/send-items';
import { batchGet } from '#shared/table/batch-get';
import { listPositionOf } from '#shared/table/list-position';
import { type List, type ListRange, readListEntries } from '#shared/table/list-reader';
import { type Search, type SearchPage, searchList } from '#shared/table/list-search';
import {
  recipientIndexPartition,
  sendKey,
  sendListPartition,
  sendListShards,
  sendPosition,
  slotIdAt,
} from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import {
  type ApiKeyId,
  type ContactId,
  type OrganizationId,
  type SlotId,
  slotIdIn,
  type TemplateId,
} from '#shared/tokens/resource-id';

/** The position of a send in a list by time: its time and its slot. The slot tells two sends of one moment apart. */
export const sendPositionSchema = listPositionOf(
  z.string().check(z.regex(/^[a-z2-7]{24}$/)),
).brand<'SendPosition'>();
export type SendPosition = z.infer<typeof sendPositionSchema>;

/** A send as an index names it. By now it may be expired or deleted. */
export type ListedSend = { readonly slotId: SlotId; readonly position: SendPosition };

/** Where the send stands in the lists by time. */
export const listedAt = ({ id, createdAt }: Send): string => sendPosition(slotIdIn(id), createdAt);

/** Which sends of an organization are asked for. What is absent restricts nothing. */
type SendSelection = Omit<Search<SendPosition, Send>, 'matches'> & {
  /** The contact whose address is `to`. */
  readonly to?: ContactId | undefined;
  readonly status?: SendStatus | undefined;
  readonly templateId?: TemplateId | undefined;
  readonly apiKeyId?: ApiKeyId | undefined;
};

/**
 * Reads the sends of an organization, newest first. Indexes find them by time, and by recipient. Any other
 * condition is looked for in the sends themselves, in so many of them as one search reads.
 */
export function readSends(
  organizationId: OrganizationId,
  { to, status, templateId, apiKeyId, ...search }: SendSelection,
  { sends, now }: { readonly sends: SendListStore; readonly now: () => number },
): Promise<SearchPage<SendPosition, Send>> {
  const isFiltered = [status, templateId, apiKeyId].some((wanted) => wanted !== undefined);
  const matches = (send: Send) =>
    (status === undefined || stateAt(send, now()).status === status) &&
    (templateId === undefined || send.templateId === templateId) &&
    (apiKeyId === undefined || send.apiKeyId === apiKeyId);
  return searchList<SendPosition, ListedSend, Send>(
    {
      find: (before, limit) =>
        to === undefined
          ? sends.find(organizationId, { before, limit })
          : sends.findTo(to, { before, limit }),
      get: (entries) => sends.get(entries, now()),
    },
    { ...search, ...(isFiltered && { matches }) },
  );
}

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
