import { authenticateManager } from '#shared/access/authenticate';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { changedMeanwhile } from '#shared/organizations/change-organization';
import { type Category, categoryNotFound } from '#shared/preferences/category';
import type { CategoryManagement } from '#shared/preferences/category-management';
import type { UpdateCategoryRequest } from './endpoint.ts';

/**
 * Renames a category. If another request renames it at the same moment, one of both is told.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `category_not_found`,
 *   `concurrent_change`
 */
export async function updateCategory(
  credential: string | undefined,
  key: string | undefined,
  parse: () => UpdateCategoryRequest,
  management: CategoryManagement,
): Promise<Category> {
  const { categories, now } = management;
  const { organizationId, actor } = await authenticateManager(credential, management);
  const { name } = parse();
  const before = await categories.get(organizationId, key ?? '');
  if (before === undefined) throw categoryNotFound();
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
  if (outcome === 'changed_meanwhile') throw changedMeanwhile('The category');
  return after;
}
