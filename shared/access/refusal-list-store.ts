import * as z from 'zod/mini';
import { isExpired } from '#shared/table/expiry';
import { refusalPartition, sortableTime } from '#shared/table/keys';
import { idAt, listPositionOf, timeAt } from '#shared/table/list-position';
import { readListEntries } from '#shared/table/list-reader';
import { maxExamined, type Search, type SearchPage, searchList } from '#shared/table/list-search';
import { readItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { minuteStartOf } from './rate-window.ts';
import {
  matchesFilter,
  placesPerMinute,
  type Refusal,
  type RefusalFilter,
  refusalSchema,
} from './refusal.ts';

const keyAndPlace = z.string().check(z.regex(/^key_[a-z2-7]{32}#\d{2}$/));
/** Its minute, then key and place, which say nothing about time. */
const storedPositionSchema = listPositionOf(keyAndPlace).brand<'StoredRefusalPosition'>();
type StoredPosition = z.infer<typeof storedPositionSchema>;
/** The time of its last request, then key and place. */
export const refusalPositionSchema = listPositionOf(keyAndPlace).brand<'RefusalPosition'>();
type RefusalPosition = z.infer<typeof refusalPositionSchema>;

type RefusalSearch = Omit<Search<RefusalPosition, Refusal>, 'matches'> & RefusalFilter;

const minuteMs = 60_000;

/** Newest first. While its minute lasts, an entry moves up with each request that it stands for. */
export async function listRefusals(
  table: Table,
  organizationId: OrganizationId,
  { apiKeyId, route, code, requestId, since = 0, until, ...search }: RefusalSearch,
  now: number,
): Promise<SearchPage<RefusalPosition, Refusal>> {
  const filter = { apiKeyId, route, code, requestId };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const matches = (refusal: Refusal) => matchesFilter(refusal, filter);
  return searchList(
    {
      find: (before, count) => findBelow(table, organizationId, before, count),
      get: async (entries) =>
        entries.map(({ refusal, expiresAt }) =>
          isExpired({ expiresAt }, now) ? undefined : refusal,
        ),
    },
    {
      ...search,
      since: minuteStartOf(since),
      // To the end of the last minute that began before it.
      ...(until !== undefined && { until: minuteStartOf(until - 1) + minuteMs }),
      ...(isFiltered && { matches }),
    },
  );
}

type Entry = {
  readonly stored: StoredPosition;
  readonly position: RefusalPosition;
  readonly refusal: Refusal;
  readonly expiresAt: unknown;
};

/** As they are stored, downwards. */
async function readEntries(
  table: Table,
  organizationId: OrganizationId,
  before: string | undefined,
  limit: number,
): Promise<readonly Entry[]> {
  const list = {
    index: 'table',
    partitions: [refusalPartition(organizationId)],
    positionSchema: storedPositionSchema,
  } as const;
  const entries = await readListEntries(table, list, { before, limit });
  return entries.map(({ position: stored, item }) => {
    const refusal = readItem('refused request', refusalSchema, item);
    const position = refusalPositionSchema.parse(`${sortableTime(refusal.at)}#${idAt(stored)}`);
    return { stored, position, refusal, expiresAt: item['expiresAt'] };
  });
}

/** The newest `count` below a position or a time. */
async function findBelow(
  table: Table,
  organizationId: OrganizationId,
  before: string | undefined,
  count: number,
): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  let from = before === undefined ? undefined : storedAbove(before);
  for (;;) {
    const { entries, end, isOverfull } = await readMinutes(table, organizationId, from, count);
    if (isOverfull) {
      const isOfMinute = (entry: Entry) => minuteOf(entry) === minuteOf(entries[0]);
      const above = before !== undefined && isInMinute(before, entries) ? storedAt(before) : from;
      const part = (await readEntries(table, organizationId, above, count)).filter(isOfMinute);
      found.push(...part);
      from = part.at(-1)?.stored ?? above;
    } else {
      const isLeft = ({ position }: Entry) => before === undefined || position < before;
      found.push(...entries.toSorted(newestFirst).filter(isLeft));
      from = end;
    }
    if (found.length >= count || from === undefined) return found.slice(0, count);
  }
}

const newestFirst = (one: Entry, other: Entry): number => (one.position < other.position ? 1 : -1);

/** An entry's whole minute: those stored above it may be listed below it. */
function storedAbove(before: string): string {
  const at = timeAt(before);
  return before === sortableTime(at) ? before : sortableTime(minuteStartOf(at) + minuteMs);
}

const storedAt = (position: string): string =>
  `${sortableTime(minuteStartOf(timeAt(position)))}#${idAt(position)}`;

type Minutes = {
  readonly entries: readonly Entry[];
  /** Where the next ones begin. */
  readonly end?: string | undefined;
  readonly isOverfull?: true;
};

/**
 * Whole minutes. One with more entries than a search may examine is listed as it's stored: dozens of keys, each refused
 * in dozens of ways at once, shouldn't make a page expensive.
 */
async function readMinutes(
  table: Table,
  organizationId: OrganizationId,
  from: string | undefined,
  count: number,
): Promise<Minutes> {
  const stretch = count + placesPerMinute;
  const entries: Entry[] = [];
  for (;;) {
    const start = entries.at(-1)?.stored ?? from;
    const more = await readEntries(table, organizationId, start, stretch);
    entries.push(...more);
    if (more.length < stretch) return { entries };
    const last = minuteOf(entries.at(-1));
    const whole = entries.filter((entry) => minuteOf(entry) !== last);
    if (whole.length > 0) return { entries: whole, end: whole.at(-1)?.stored };
    if (entries.length > maxExamined) return { entries, isOverfull: true };
  }
}

const minuteOf = (entry: Entry | undefined): number | undefined => entry && timeAt(entry.stored);

const isInMinute = (position: string, [first]: readonly Entry[]): boolean =>
  minuteStartOf(timeAt(position)) === minuteOf(first);
