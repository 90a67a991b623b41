import * as z from 'zod/mini';
import { identitiesIn } from '#shared/sending/erased-recipients';
import { ownOutcomes } from '#shared/sending/own-outcomes';
import { type Send, type SendStatus, stateAt } from '#shared/sending/send';
import {
  readSend,
  type SearchedSend,
  searchedIn,
  toSearchedSend,
} from '#shared/sending/send-items';
import { hasTag, type Tag } from '#shared/sending/send-options';
import { type EntryPage, maxRead, searchEntries } from '#shared/table/entry-search';
import { sortableTime } from '#shared/table/keys';
import { listPositionOf } from '#shared/table/list-position';
import {
  type List,
  type ListEntry,
  type ListRange,
  readListEntries,
  readNewerEntries,
} from '#shared/table/list-reader';
import { readInRounds } from '#shared/table/list-rounds';
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
  apiKeyOwnPart,
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

/** An index entry. Its send may have expired or been deleted since. */
export type SendEntry = {
  readonly slotId: SlotId;
  readonly position: SendPosition;
};

export const listedAt = ({ id, createdAt }: Send): string => sendPosition(slotIdIn(id), createdAt);

type IsPlace = (send: Send, entry: SendEntry, now: number) => boolean;

const isAtCreation: IsPlace = (send, { position }) => position === listedAt(send);

/** Lists of outcomes place a send where its present one began. */
const isAtOutcome: IsPlace = (send, { position }, now) =>
  position === sendPosition(slotIdIn(send.id), outcomeOf(send, now).outcomeAt);

/** `since` and `until` are about the time of creation; if only listed outcomes are asked for, about theirs. */
export type SendSelection = {
  /** Where the previous page ended. */
  readonly before?: SendPosition | undefined;
  /** Includes `since`, excludes `until`: epoch milliseconds. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly limit: number;
  /** Test emails, which are listed separately; by default real ones. */
  readonly isTest?: boolean;
  /** The contact whose address is in `to`, cc or bcc. */
  readonly to?: ContactId | undefined;
  readonly status?: SendStatus | undefined;
  readonly outcomes?: readonly Outcome[] | undefined;
  readonly templateId?: TemplateId | undefined;
  readonly apiKeyId?: ApiKeyId | undefined;
  readonly tag?: Tag | undefined;
  /** Decided by what the index has. */
  readonly holds?: ((send: SearchedSend) => boolean) | undefined;
  /** Decided by the send alone. */
  readonly matches?: ((send: Send) => boolean) | undefined;
};

/**
 * Newest first by creation; by outcome, if only listed outcomes of all recipients are asked for. Indexes find sends by
 * time, recipient and listed outcome. Words, tag, template and key are looked for in the entries of the list by time,
 * so only sends that have them are read; all else is judged on the sends.
 */
export function readSends(
  table: Table,
  organizationId: OrganizationId,
  selection: SendSelection,
  now: () => number,
): Promise<EntryPage<SendPosition, Send>> {
  const { isTest = false, to, limit, outcomes } = selection;
  const mode = { isTest };
  const listed = listedAmong(outcomes);
  const isByOutcome = to === undefined && listed !== undefined;
  const isByTime = to === undefined && listed === undefined;
  const isSearch = isByTime && isSearched(selection);
  const lists =
    to !== undefined
      ? [recipientListOf(to, mode)]
      : listed === undefined
        ? [listOf(organizationId, mode)]
        : outcomeListsOf(organizationId, listed, mode);
  const place = isByOutcome ? isAtOutcome : isAtCreation;
  return searchEntries<SendPosition, Send>({
    rounds: readInRounds(table, lists, spanOf(selection), roundsOf(lists, limit, isSearch)),
    ...(isSearch && {
      mayMatch: ({ item }) => holdsAll(toSearchedSend(item), selection),
    }),
    get: (entries) => getListedSends(table, entries.map(toSendEntry), now(), to, place),
    matches: (send) => isSelected(send, selection, now()),
    isJudged:
      selection.status !== undefined ||
      selection.matches !== undefined ||
      outcomes !== undefined ||
      (!isByTime && isSearched(selection)),
    // A first page shows the newest match before the long round. Further pages are about getting on.
    isEager: isSearch && selection.before === undefined,
    limit,
  });
}

const isSearched = ({ templateId, apiKeyId, tag, holds }: SendSelection): boolean =>
  [templateId, apiKeyId, tag, holds].some((condition) => condition !== undefined);

function spanOf({ before, since, until, to, outcomes }: SendSelection) {
  const end = until === undefined ? undefined : sortableTime(until);
  const isEarlier = before !== undefined && (end === undefined || before < end);
  // An outcome after `since` may belong to an earlier send.
  const isUnlimited = to !== undefined && listedAmong(outcomes) !== undefined;
  return { before: isEarlier ? before : end, since: isUnlimited ? undefined : since };
}

/** Entries of each shard. */
const searchRounds = [256, 2_000] as const;

/**
 * How many emails a search request looks at, and some more. A typical entry has 330 bytes, so that's 730 read units; and
 * 3,000 in the worst case, since each Query ends after 1 MB.
 */
export const mostSearched = sendListShards * searchRounds.reduce((sum, size) => sum + size, 0);

/** How many entries each round reads of each shard: first about what a page needs, as most are filled by it. */
function roundsOf(lists: readonly List<SendPosition>[], limit: number, isSearch: boolean) {
  const shards = lists.flatMap(({ partitions }) => partitions).length;
  const first = shards === 1 ? limit + 1 : 2 * Math.ceil(limit / shards) + 8;
  if (isSearch) return [first, ...searchRounds];
  const further = Math.ceil(Math.max(maxRead, limit) / shards) + 8;
  return [first, further, further, further];
}

/** All that an entry of the list by time can tell. */
const holdsAll = (
  send: SearchedSend,
  { templateId, apiKeyId, tag, holds }: SendSelection,
): boolean =>
  (templateId === undefined || send.templateId === templateId) &&
  (apiKeyId === undefined || send.apiKey === apiKeyOwnPart(apiKeyId)) &&
  (tag === undefined || hasTag(send, tag)) &&
  (holds?.(send) ?? true);

export function isSelected(send: Send, selection: SendSelection, now: number): boolean {
  const { to, since = 0, until, status, outcomes, apiKeyId, matches } = selection;
  const { outcome, outcomeAt } = outcomeOf(send, now);
  const at = listedAmong(outcomes) ? outcomeAt : send.createdAt;
  return (
    at >= since &&
    (until === undefined || at < until) &&
    (to === undefined || names(send, to)) &&
    (status === undefined || stateAt(send, now).status === status) &&
    (outcomes === undefined || outcomes.includes(outcome)) &&
    (matches?.(send) ?? true) &&
    // An entry has only the key's own part.
    (apiKeyId === undefined || send.apiKeyId === apiKeyId) &&
    (!isSearched(selection) || holdsAll(searchedIn(send), selection))
  );
}

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
const outcomeListsOf = (
  organizationId: OrganizationId,
  outcomes: readonly ListedOutcome[],
  mode?: ListedMode,
): List<SendPosition>[] =>
  outcomes.map((outcome) => ({
    index: ownOutcomes.some((own) => own === outcome) ? 'gsi4' : 'gsi2',
    partitions: Array.from({ length: sendListShards }, (_, shard) =>
      outcomeListPartition(organizationId, outcome, shard, mode),
    ),
    positionSchema: sendPositionSchema,
  }));

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
 * Strongly consistent, in order. `undefined` for an entry whose send has expired or lost its slot, or came
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
