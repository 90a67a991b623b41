import { invalidApiKey } from '#shared/access/api-key';
import { authenticateManager } from '#shared/access/authenticate';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { ServiceError } from '#shared/errors/service-error';
import { changedMeanwhile } from '#shared/organizations/change-organization';
import type { Organization } from '#shared/organizations/organization';
import { categoryNotFound } from '#shared/preferences/category';
import type { CategoryManagement } from '#shared/preferences/category-management';

const maxTries = 2;

/**
 * Deletes a category that no policy names. If the organization changes at the same moment, it is looked at
 * once more: one of its policies may name the category now.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `category_not_found`, `category_in_use`,
 *   `concurrent_change`
 */
export async function deleteCategory(
  credential: string | undefined,
  presentedKey: string | undefined,
  management: CategoryManagement,
): Promise<void> {
  const { categories, now } = management;
  const { organizationId, actor } = await authenticateManager(credential, management);
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const [organization, category] = await Promise.all([
      categories.getOrganization(organizationId),
      categories.get(organizationId, presentedKey ?? ''),
    ]);
    if (organization === undefined) throw invalidApiKey();
    if (category === undefined) throw categoryNotFound();
    requireUnused(category.key, organization);
    const change = { action: 'category.deleted', target: category.key, before: category };
    const entry = newAuditEntry(organizationId, actor, change, now());
    if ((await categories.delete(organization, category, entry)) === 'deleted') return;
  }
  throw changedMeanwhile('The organization');
}

function requireUnused(categoryKey: string, { policies }: Organization): void {
  const naming = Object.entries(policies).filter(
    ([, policy]) => policy.categoryKey === categoryKey,
  );
  if (naming.length === 0) return;
  const keys = naming.map(([key]) => key).join(', ');
  throw new ServiceError(
    'category_in_use',
    `Policies name the category: ${keys}. Change or delete them first.`,
  );
}
