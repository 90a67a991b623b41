import * as z from 'zod/mini';
import { identitiesIn } from '#shared/sending/erased-recipients';
import { type Send, type SendStatus, stateAt } from '#shared/sending/send';
import { readSend } from '#shared/sending/send-items';
import { hasTag, type Tag } from '#shared/sending/send-options';
import { listPositionOf } from '#shared/table/list-position';
import {
  type List,
  type ListEntry,
  type ListRange,
  readListEntries,
  readNewerEntries,
} from '#shared/table/list-reader';
import { type Search, type SearchPage, searchList } from '#shared/table/list-search';
import { batchGet } from '#shared/table/reads';
import {
  type ListedMode,
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
import { type ListedOutcome, listedOutcomes } from './listed-outcomes.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

export const sendPositionSchema = listPositionOf(
  z.string().check(z.regex(/^[a-z2-7]{8}$/)),
).brand<'SendPosition'>();
export type SendPosition = z.infer<typeof sendPositionSchema>;

/** Before the newest send. */
export const newestPosition = sendPositionSchema.parse(`${'9'.repeat(15)}#${'7'.repeat(8)}`);

/** An index entry. Its send may have expired or been deleted since. */
export type SendEntry = {
  readonly slotId: SlotId;
  readonly position: SendPosition;
};

export const listedAt = ({ id, createdAt }: Send): string => sendPosition(slotIdIn(id), createdAt);

type IsPlace = (send: Send, entry: SendEntry, now: number) => boolean;

const isAtCreation: IsPlace = (send, { position }) => position === listedAt(send);

/** Lists of rare outcomes place a send at the first event with that outcome. */
const isAtOutcome: IsPlace = (send, { position }, now) =>
  position === sendPosition(slotIdIn(send.id), outcomeOf(send, now).outcomeAt);

/** `since` and `until` are about the time of creation; if only rare outcomes are asked for, about theirs. */
type SendSelection = Omit<Search<SendPosition, Send>, 'matches'> & {
  /** Test emails, which are listed separately; by default real ones. */
  readonly isTest?: boolean;
  /** The contact whose address is in `to`, cc or bcc. */
  readonly to?: ContactId | undefined;
  readonly status?: SendStatus | undefined;
  readonly outcomes?: readonly Outcome[] | undefined;
  readonly templateId?: TemplateId | undefined;
  readonly apiKeyId?: ApiKeyId | undefined;
  readonly tag?: Tag | undefined;
  readonly holds?: ((send: Send) => boolean) | undefined;
};

/**
 * Newest first by creation; by outcome, if only rare outcomes of all recipients are asked for. Indexes find sends by
 * time, recipient and rare outcome. Other conditions are checked on the sends themselves.
 */
export function readSends(
  table: Table,
  organizationId: OrganizationId,
  selection: SendSelection,
  now: () => number,
): Promise<SearchPage<SendPosition, Send>> {
  const { isTest = false, to, before, since, until, limit, ...conditions } = selection;
  const isFiltered = Object.values(conditions).some((value) => value !== undefined);
  const listed = listedAmong(conditions.outcomes);
  const isByOutcome = to === undefined && listed !== undefined;
  const matches = (send: Send) => isSelected(send, selection, now());
  // An outcome after `since` may belong to an earlier send.
  const start = to !== undefined && listed !== undefined ? undefined : since;
  return searchList<SendPosition, SendEntry, Send>(
    {
      find: (above, count) => {
        const range = { before: above, limit: count };
        if (to !== undefined) return findSendsTo(table, to, range, { isTest });
        return listed === undefined
          ? findSends(table, organizationId, range, { isTest })
          : findSendsWith(table, organizationId, listed, range, { isTest });
      },
      get: (entries) =>
        getListedSends(table, entries, now(), to, isByOutcome ? isAtOutcome : isAtCreation),
    },
    { before, since: start, until, limit, ...(isFiltered && { matches }) },
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

export const isSelected = (
  send: Send,
  { to, since = 0, until, ...conditions }: SendSelection,
  now: number,
): boolean => {
  const { outcomes } = conditions;
  const at = listedAmong(outcomes) ? outcomeOf(send, now).outcomeAt : send.createdAt;
  return (
    at >= since &&
    (until === undefined || at < until) &&
    (to === undefined || names(send, to)) &&
    meets(send, conditions, now)
  );
};

/** `undefined` if one of the outcomes has no list. */
function listedAmong(outcomes: readonly Outcome[] | undefined) {
  const listed = outcomes?.flatMap(
    (outcome) => listedOutcomes.find((one) => one === outcome) ?? [],
  );
  return listed?.length === outcomes?.length ? listed : undefined;
}

const listOf = (organizationId: OrganizationId, mode?: ListedMode): List<SendPosition> => ({
  index: 'gsi2',
  partitions: Array.from({ length: sendListShards }, (_, shard) =>
    sendListPartition(organizationId, shard, mode),
  ),
  positionSchema: sendPositionSchema,
});

/** Entries whose sends may have another outcome by now. */
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

/** Sends that name the address, or did in an earlier attempt. */
const recipientListOf = (contactId: ContactId, mode?: ListedMode): List<SendPosition> => ({
  index: 'gsi3',
  partitions: [recipientIndexPartition(contactId, mode)],
  positionSchema: sendPositionSchema,
});

async function findEntries(
  table: Table,
  list: List<SendPosition>,
  range: ListRange,
): Promise<SendEntry[]> {
  const entries = await readListEntries(table, list, range);
  return entries.map(toSendEntry);
}

export const findSends = (
  table: Table,
  organizationId: OrganizationId,
  range: ListRange,
  mode?: ListedMode,
): Promise<SendEntry[]> => findEntries(table, listOf(organizationId, mode), range);

const findSendsWith = (
  table: Table,
  organizationId: OrganizationId,
  outcomes: readonly ListedOutcome[],
  range: ListRange,
  mode?: ListedMode,
): Promise<SendEntry[]> => findEntries(table, outcomeListOf(organizationId, outcomes, mode), range);

/** Newest first. A send may come twice, if a retry made a further recipient the first. */
export const findSendsTo = (
  table: Table,
  contactId: ContactId,
  range: ListRange,
  mode?: ListedMode,
): Promise<SendEntry[]> => findEntries(table, recipientListOf(contactId, mode), range);

export async function findNewerSends(
  table: Table,
  organizationId: OrganizationId,
  range: { readonly after: SendPosition; readonly limit: number },
  mode?: ListedMode,
): Promise<SendEntry[]> {
  const entries = await readNewerEntries(table, listOf(organizationId, mode), range);
  return entries.map(toSendEntry);
}

const toSendEntry = ({ position, item }: ListEntry<SendPosition>): SendEntry => ({
  slotId: slotIdAt(z.string().parse(item['pk'])),
  position,
});

/**
 * Up to 100, strongly consistent, in order. `undefined` for an entry whose send has expired or lost its slot, or came
 * before.
 *
 * @param named the send must name this contact.
 */
export async function getListedSends(
  table: Table,
  listed: readonly SendEntry[],
  now: number,
  named?: ContactId,
  isPlace = isAtCreation,
): Promise<(Send | undefined)[]> {
  const slotIds = new Set(listed.map(({ slotId }) => slotId));
  const itemOf = await batchGet(table, [...slotIds].map(sendKey));
  return listed.map((entry) => {
    const { slotId } = entry;
    const send = readSend(itemOf(sendKey(slotId)), now);
    const isThere = send !== undefined && isPlace(send, entry, now);
    const isFirst = isThere && slotIds.delete(slotId);
    return isFirst && (named === undefined || names(send, named)) ? send : undefined;
  });
}

/** Erased names don't count. */
const names = (send: Send, contactId: ContactId): boolean =>
  identitiesIn(send).some(
    (identity) => contactIdOf(organizationIdOf(send.id), identity) === contactId,
  );
