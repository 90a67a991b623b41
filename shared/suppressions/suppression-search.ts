import type { SuppressionReason } from '#shared/contacts/contact';
import { type Search, type SearchPage, searchList } from '#shared/table/list-search';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type {
  Suppression,
  SuppressionEntry,
  SuppressionListStore,
  SuppressionPosition,
} from './suppression-list-store.ts';

export type ListedSuppression = Suppression & { readonly position: SuppressionPosition };

type SuppressionSelection = Search<SuppressionPosition, Suppression> & {
  readonly reason?: SuppressionReason | readonly SuppressionReason[] | undefined;
};

export const readSuppressions = (
  organizationId: OrganizationId,
  { reason, ...search }: SuppressionSelection,
  suppressions: SuppressionListStore,
): Promise<SearchPage<SuppressionPosition, ListedSuppression>> =>
  searchList<SuppressionPosition, SuppressionEntry, ListedSuppression>(
    {
      find: (before, limit) => suppressions.find(organizationId, reason, { before, limit }),
      get: async (entries) => {
        const found = await suppressions.get(entries);
        return entries.map(({ position }, index) => {
          const suppression = found[index];
          return suppression && { ...suppression, position };
        });
      },
    },
    search,
  );
