import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import type { Category } from '#shared/preferences/category';
import type { CategoryStore } from '#shared/preferences/category-store';

/**
 * Lists the categories of the key's organization, by key.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function listCategories(
  credential: string | undefined,
  { categories, ...authentication }: Authentication & { categories: CategoryStore },
): Promise<Category[]> {
  const { organizationId } = await authenticateManager(credential, authentication);
  return categories.list(organizationId);
}
