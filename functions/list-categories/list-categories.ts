import type { Category } from '#shared/contacts/category';
import type { CategoryStore } from '#shared/contacts/category-store';
import type { Authentication } from '#shared/organizations/authenticate-caller';
import { authenticateManager } from '#shared/organizations/authenticate-manager';

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
