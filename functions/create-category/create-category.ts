import { authenticateManager } from '#shared/access/authenticate';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { ServiceError } from '#shared/errors/service-error';
import {
  type GivenLimits,
  limitsInForce,
  requireRoom,
} from '#shared/organizations/organization-limits';
import type { Category } from '#shared/preferences/category';
import type { CategoryManagement } from '#shared/preferences/category-management';
import type { CreateCategoryRequest } from './endpoint.ts';

/**
 * Creates a category. Every contact is subscribed to it until it says no; who said no to an earlier category
 * of that key has said no to this one.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `category_key_taken`,
 *   `too_many_categories`
 */
export async function createCategory(
  credential: string | undefined,
  parse: () => CreateCategoryRequest,
  management: CategoryManagement & { readonly limitsOfDeployment: GivenLimits },
): Promise<Category> {
  const { categories, now } = management;
  const { organizationId, actor, ownLimits } = await authenticateManager(credential, management);
  const category = parse();
  const existing = await categories.list(organizationId);
  if (existing.some(({ key }) => key === category.key)) throw keyTaken();
  const limits = limitsInForce(ownLimits, management.limitsOfDeployment);
  requireRoom('categories', existing.length, limits);
  const change = { action: 'category.created', target: category.key, after: category };
  const entry = newAuditEntry(organizationId, actor, change, now());
  const outcome = await categories.create(organizationId, category, entry);
  if (outcome === 'key_taken') throw keyTaken();
  return category;
}

const keyTaken = () =>
  new ServiceError('category_key_taken', 'The organization has a category with this key already.');
