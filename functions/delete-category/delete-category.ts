import { organizationOf } from '#shared/access/admit-caller';
import { newAuditEntry } from '#shared/audit/audit-entry';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import type { Organization } from '#shared/organizations/organization';
import type { CategoryStore } from '#shared/preferences/category-store';
import type { endpoint } from './endpoint.ts';

type CategoryDeleting = {
  readonly now: () => number;
  readonly categories: Pick<CategoryStore, 'getOrganization' | 'get' | 'delete'>;
};

const maxTries = 2;

/** Refused while a policy uses it. If the organization changes at the same moment, its policies are checked again. */
export async function deleteCategory(
  { caller, path }: RequestTo<typeof endpoint>,
  { now, categories }: CategoryDeleting,
): Promise<void> {
  const { organizationId, actor } = caller;
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const [organization, category] = await Promise.all([
      organizationOf(caller, { get: categories.getOrganization }),
      categories.get(organizationId, path.key),
    ]);
    if (category === undefined) throw new ServiceError('category_not_found');
    requireUnused(category.key, organization);
    const change = { action: 'category.deleted', target: category.key, before: category };
    const entry = newAuditEntry(organizationId, actor, change, now());
    if ((await categories.delete(organization, category, entry)) === 'deleted') return;
  }
  throw new ServiceError('concurrent_change');
}

function requireUnused(categoryKey: string, { policies }: Organization): void {
  const naming = Object.entries(policies).filter(
    ([, policy]) => policy.categoryKey === categoryKey,
  );
  if (naming.length === 0) return;
  const keys = naming.map(([key]) => key).join(', ');
  throw new ServiceError(
    'category_in_use',
    `These policies use the category: ${keys}. Change or delete them first.`,
  );
}
