import { newAuditEntry } from '#shared/audit/audit-entry';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import type { CategoryStore } from '#shared/preferences/category-store';
import type { Category } from '#shared/preferences/preferences';
import type { endpoint } from './endpoint.ts';

type CategoryRenaming = {
  readonly now: () => number;
  readonly categories: Pick<CategoryStore, 'get' | 'rename'>;
};

/** If two requests rename it at once, exactly one succeeds. */
export async function updateCategory(
  { caller, path, body: { name } }: RequestTo<typeof endpoint>,
  { now, categories }: CategoryRenaming,
): Promise<Category> {
  const { organizationId, actor } = caller;
  const before = await categories.get(organizationId, path.key);
  if (before === undefined) throw new ServiceError('category_not_found');
  if (before.name === name) return before;
  const after = { ...before, name };
  const change = {
    action: 'category.updated',
    target: before.key,
    before: { name: before.name },
    after: { name },
  };
  const entry = newAuditEntry(organizationId, actor, change, now());
  const outcome = await categories.rename(organizationId, before, after, entry);
  if (outcome === 'changed_meanwhile') throw new ServiceError('concurrent_change');
  return after;
}
