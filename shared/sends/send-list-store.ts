import * as z from 'zod/mini';
import { identitiesIn } from '#shared/sending/erased-recipients';
import { type Send, type SendStatus, stateAt } from '#shared/sending/send';
import { readSend } from '#shared/sending/send-items';
import { hasTag, type Tag } from '#shared/sending/send-options';
import { batchGet } from '#shared/table/batch-get';
import { listPositionOf } from '#shared/table/list-position';
import { type List, type ListRange, readListEntries } from '#shared/table/list-reader';
import { type Search, type SearchPage, searchList } from '#shared/table/list-search';
import {
  type ListedMode,
  type ListedOutcome,
  listedOutcomes,
  outcomeListPartition,
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
  contactIdOf,
  type OrganizationId,
  organizationIdOf,
  type SlotId,
  slotIdIn,
  type TemplateId,
} from '#shared/tokens/resource-id';
import { type Outcome, outcomeOf } from './outcome.ts';

/** A send's position in a list by time: its time, and its slot as a tie-breaker. */
export const sendPositionSchema = listPositionOf(
  z.string().check(z.regex(/^[a-z2-7]{24}$/)),
).brand<'SendPosition'>();
export type SendPosition = z.infer<typeof sendPositionSchema>;

/** A send as an index names it. It may be expired or deleted by now. */
export type ListedSend = { readonly slotId: SlotId; readonly position: SendPosition };

export const listedAt = ({ id, createdAt }: Send): string => sendPosition(slotIdIn(id), createdAt);

/** Which sends of an organization are asked for. Absent fields restrict nothing. */
type SendSelection = Omit<Search<SendPosition, Send>, 'matches'> & {
  /** Test emails, which are listed apart; else real ones. */
  readonly isTest?: boolean;
  /** The contact whose address is in `to`, cc or bcc. */
  readonly to?: ContactId | undefined;
  readonly status?: SendStatus | undefined;
  readonly outcome?: Outcome | undefined;
  readonly templateId?: TemplateId | undefined;
  readonly apiKeyId?: ApiKeyId | undefined;
  readonly tag?: Tag | undefined;
};

/**
 * Reads an organization's sends, newest first. Indexes find them by time, by recipient and by a rare outcome. Other
 * conditions are checked on the sends themselves, as many as one search reads.
 */
export function readSends(
  organizationId: OrganizationId,
  { isTest = false, to, status, outcome, templateId, apiKeyId, tag, ...search }: SendSelection,
  { sends, now }: { readonly sends: SendListStore; readonly now: () => number },
): Promise<SearchPage<SendPosition, Send>> {
  const isFiltered = [status, outcome, templateId, apiKeyId, tag].some(
    (wanted) => wanted !== undefined,
  );
  const matches = (send: Send) =>
    (status === undefined || stateAt(send, now()).status === status) &&
    (outcome === undefined || outcomeOf(send, now()).outcome === outcome) &&
    (templateId === undefined || send.templateId === templateId) &&
    (apiKeyId === undefined || send.apiKeyId === apiKeyId) &&
    (tag === undefined || hasTag(send, tag));
  const listed = listedOutcomes.find((one) => one === outcome);
  return searchList<SendPosition, ListedSend, Send>(
    {
      find: (before, limit) => {
        const range = { before, limit };
        if (to !== undefined) return sends.findTo(to, range, { isTest });
        return listed === undefined
          ? sends.find(organizationId, range, { isTest })
          : sends.findWith(organizationId, listed, range, { isTest });
      },
      get: (entries) => sends.get(entries, now(), to),
    },
    { ...search, ...(isFiltered && { matches }) },
  );
}

/** All sends of an organization, by time. */
const listOf = (organizationId: OrganizationId, mode?: ListedMode): List<SendPosition> => ({
  index: 'gsi2',
  partitions: Array.from({ length: sendListShards }, (_, shard) =>
    sendListPartition(organizationId, shard, mode),
  ),
  positionSchema: sendPositionSchema,
});

/** The sends of which an event of this kind was heard, by time. By now they may have another outcome. */
const outcomeListOf = (
  organizationId: OrganizationId,
  outcome: ListedOutcome,
  mode?: ListedMode,
): List<SendPosition> => ({
  index: 'gsi2',
  partitions: Array.from({ length: sendListShards }, (_, shard) =>
    outcomeListPartition(organizationId, outcome, shard, mode),
  ),
  positionSchema: sendPositionSchema,
});

/** The sends that name the contact's address, or named it in an earlier attempt, by time. */
const recipientListOf = (contactId: ContactId, mode?: ListedMode): List<SendPosition> => ({
  index: 'gsi3',
  partitions: [recipientIndexPartition(contactId, mode)],
  positionSchema: sendPositionSchema,
});

export function openSendListStore(table: Table) {
  /** At most `limit` entries of a list of sends, newest first. */
  async function findSends(list: List<SendPosition>, range: ListRange): Promise<ListedSend[]> {
    const entries = await readListEntries(table, list, range);
    return entries.map(({ position, item }) => ({
      slotId: slotIdAt(z.string().parse(item['pk'])),
      position,
    }));
  }

  const find = (
    organizationId: OrganizationId,
    range: ListRange,
    mode?: ListedMode,
  ): Promise<ListedSend[]> => findSends(listOf(organizationId, mode), range);

  const findWith = (
    organizationId: OrganizationId,
    outcome: ListedOutcome,
    range: ListRange,
    mode?: ListedMode,
  ): Promise<ListedSend[]> => findSends(outcomeListOf(organizationId, outcome, mode), range);

  /**
   * At most `limit` sends that name the contact's address in `to`, cc or bcc, newest first. One may come twice, if a
   * retry made a further recipient the first.
   */
  const findTo = (
    contactId: ContactId,
    range: ListRange,
    mode?: ListedMode,
  ): Promise<ListedSend[]> => findSends(recipientListOf(contactId, mode), range);

  /**
   * Reads the sends of up to 100 entries, strongly consistent, in order. `undefined` stands for an entry
   * whose send is expired, or whose slot another send has taken, and for one that came before.
   *
   * @param named the send must name this contact.
   */
  async function get(
    listed: readonly ListedSend[],
    now: number,
    named?: ContactId,
  ): Promise<(Send | undefined)[]> {
    const slotIds = new Set(listed.map(({ slotId }) => slotId));
    const itemOf = await batchGet(table, [...slotIds].map(sendKey));
    const positions = listed.map(({ position }) => position);
    return listed.map(({ slotId, position }, index) => {
      const send = readSend(itemOf(sendKey(slotId)), now);
      const isFirst = positions.indexOf(position) === index;
      const isThere = send !== undefined && listedAt(send) === position && isFirst;
      return isThere && (named === undefined || names(send, named)) ? send : undefined;
    });
  }

  return { find, findTo, findWith, get };
}

/** Whether the send names the contact, as far as it wasn't erased. */
const names = (send: Send, contactId: ContactId): boolean =>
  identitiesIn(send).some(
    (identity) => contactIdOf(organizationIdOf(send.id), identity) === contactId,
  );

export type SendListStore = ReturnType<typeof openSendListStore>;
