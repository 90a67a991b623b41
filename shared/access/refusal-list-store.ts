import * as z from 'zod/mini';
import { isExpired } from '#shared/table/expiry';
import { refusalPartition } from '#shared/table/keys';
import { listPositionOf } from '#shared/table/list-position';
import { readListEntries } from '#shared/table/list-reader';
import { type Search, type SearchPage, searchList } from '#shared/table/list-search';
import { readItem } from '#shared/table/read-item';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { minuteStartOf } from './rate-window.ts';
import { isWanted, type Refusal, type RefusalFilter, refusalSchema } from './refusal.ts';

export const refusalPositionSchema = listPositionOf(
  z.string().check(z.regex(/^key_[a-z2-7]{32}#\d{2}$/)),
).brand<'RefusalPosition'>();
type RefusalPosition = z.infer<typeof refusalPositionSchema>;

type RefusalSearch = Omit<Search<RefusalPosition, Refusal>, 'matches'> & RefusalFilter;

export function openRefusalListStore(table: Table) {
  /** Newest first; positions are whole minutes. */
  async function list(
    organizationId: OrganizationId,
    { apiKeyId, route, code, since = 0, ...search }: RefusalSearch,
    now: number,
  ): Promise<SearchPage<RefusalPosition, Refusal>> {
    const isFiltered = [apiKeyId, route, code].some((wanted) => wanted !== undefined);
    const matches = (refusal: Refusal) => isWanted(refusal, { apiKeyId, route, code });
    const lists = {
      index: 'table' as const,
      partitions: [refusalPartition(organizationId)],
      positionSchema: refusalPositionSchema,
    };
    const page = await searchList(
      {
        find: (before, limit) => readListEntries(table, lists, { before, limit }),
        get: async (entries) =>
          entries.map(({ item }) =>
            isExpired(item, now) ? undefined : readItem('refused request', refusalSchema, item),
          ),
      },
      { ...search, since: minuteStartOf(since), ...(isFiltered && { matches }) },
    );
    // Those of one minute are stored in any order.
    return { ...page, found: page.found.toSorted((one, other) => other.at - one.at) };
  }

  return { list };
}
