import * as z from 'zod/mini';
import { identitiesIn } from '#shared/sending/erased-recipients';
import { type Send, type SendStatus, stateAt } from '#shared/sending/send';
import { readSend } from '#shared/sending/send-items';
import { hasTag, type Tag } from '#shared/sending/send-options';
import { batchGet } from '#shared/table/batch-get';
import { listPositionOf } from '#shared/table/list-position';
import {
  type List,
  type ListEntry,
  type ListRange,
  readListEntries,
  readNewerEntries,
} from '#shared/table/list-reader';
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

/** Before the newest send. */
export const newestPosition = sendPositionSchema.parse(`${'9'.repeat(15)}#${'7'.repeat(24)}`);

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
  /** Any of these. */
  readonly outcomes?: readonly Outcome[] | undefined;
  readonly templateId?: TemplateId | undefined;
  readonly apiKeyId?: ApiKeyId | undefined;
  readonly tag?: Tag | undefined;
  /** A further condition. */
  readonly holds?: ((send: Send) => boolean) | undefined;
};

/**
 * Reads an organization's sends, newest first. Indexes find them by time, by recipient and by rare outcomes. Other
 * conditions are checked on the sends themselves, as many as one search reads.
 */
export function readSends(
  organizationId: OrganizationId,
  { isTest = false, to, before, since, until, limit, ...conditions }: SendSelection,
  { sends, now }: { readonly sends: SendListStore; readonly now: () => number },
): Promise<SearchPage<SendPosition, Send>> {
  const isFiltered = Object.values(conditions).some((wanted) => wanted !== undefined);
  const matches = (send: Send) => meets(send, conditions, now());
  const listed = listedAmong(conditions.outcomes);
  return searchList<SendPosition, ListedSend, Send>(
    {
      find: (above, count) => {
        const range = { before: above, limit: count };
        if (to !== undefined) return sends.findTo(to, range, { isTest });
        return listed === undefined
          ? sends.find(organizationId, range, { isTest })
          : sends.findWith(organizationId, listed, range, { isTest });
      },
      get: (entries) => sends.get(entries, now(), to),
    },
    { before, since, until, limit, ...(isFiltered && { matches }) },
  );
}

type SendConditions = Pick<
  SendSelection,
  'status' | 'outcomes' | 'templateId' | 'apiKeyId' | 'tag' | 'holds'
>;

const meets = (
  send: Send,
  { status, outcomes, templateId, apiKeyId, tag, holds }: SendConditions,
  now: number,
): boolean =>
  (status === undefined || stateAt(send, now).status === status) &&
  (outcomes === undefined || outcomes.includes(outcomeOf(send, now).outcome)) &&
  (templateId === undefined || send.templateId === templateId) &&
  (apiKeyId === undefined || send.apiKeyId === apiKeyId) &&
  (tag === undefined || hasTag(send, tag)) &&
  (holds?.(send) ?? true);

/** Whether a send that was found without the list would be in it. */
export const isSelected = (
  send: Send,
  { to, since = 0, until, ...conditions }: SendSelection,
  now: number,
): boolean =>
  send.createdAt >= since &&
  (until === undefined || send.createdAt < until) &&
  (to === undefined || names(send, to)) &&
  meets(send, conditions, now);

/** The outcomes, if each has a list of its own. */
function listedAmong(outcomes: readonly Outcome[] | undefined) {
  const listed = outcomes?.flatMap(
    (outcome) => listedOutcomes.find((one) => one === outcome) ?? [],
  );
  return listed?.length === outcomes?.length ? listed : undefined;
}

/** All sends of an organization, by time. */
const listOf = (organizationId: OrganizationId, mode?: ListedMode): List<SendPosition> => ({
  index: 'gsi2',
  partitions: Array.from({ length: sendListShards }, (_, shard) =>
    sendListPartition(organizationId, shard, mode),
  ),
  positionSchema: sendPositionSchema,
});

/** The sends that had an event of these kinds, by time. By now they may have another outcome. */
const outcomeListOf = (
  organizationId: OrganizationId,
  outcomes: readonly ListedOutcome[],
  mode?: ListedMode,
): List<SendPosition> => ({
  index: 'gsi2',
  partitions: outcomes.flatMap((outcome) =>
    Array.from({ length: sendListShards }, (_, shard) =>
      outcomeListPartition(organizationId, outcome, shard, mode),
    ),
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
    return entries.map(toListed);
  }

  const find = (
    organizationId: OrganizationId,
    range: ListRange,
    mode?: ListedMode,
  ): Promise<ListedSend[]> => findSends(listOf(organizationId, mode), range);

  const findWith = (
    organizationId: OrganizationId,
    outcomes: readonly ListedOutcome[],
    range: ListRange,
    mode?: ListedMode,
  ): Promise<ListedSend[]> => findSends(outcomeListOf(organizationId, outcomes, mode), range);

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

const toListed = ({ position, item }: ListEntry<SendPosition>): ListedSend => ({
  slotId: slotIdAt(z.string().parse(item['pk'])),
  position,
});

/** For a list that is read in both directions. */
export const openNewerSendsStore = (table: Table) => ({
  /** The nearest `limit` sends that are newer than `after`, newest first. */
  async findNewer(
    organizationId: OrganizationId,
    range: { readonly after: SendPosition; readonly limit: number },
    mode?: ListedMode,
  ): Promise<ListedSend[]> {
    const entries = await readNewerEntries(table, listOf(organizationId, mode), range);
    return entries.map(toListed);
  },
});

/** Whether the send names the contact, as far as it wasn't erased. */
const names = (send: Send, contactId: ContactId): boolean =>
  identitiesIn(send).some(
    (identity) => contactIdOf(organizationIdOf(send.id), identity) === contactId,
  );

export type SendListStore = ReturnType<typeof openSendListStore>;
export type NewerSendsStore = ReturnType<typeof openNewerSendsStore>;
