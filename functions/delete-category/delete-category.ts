import { organizationOf } from '#shared/access/admit-caller';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { categoryPath } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import type { Organization } from '#shared/organizations/organization';
import { categoryWords } from '#shared/preferences/category-reference';
import { deleteCategory, getCategory } from '#shared/preferences/category-store';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/categories/{key}',
    access: { key: 'required', scope: 'manage_organization' },
    ...categoryPath,
    answers: { 204: { description: 'The category is deleted.' } },
    errors: ['category_in_use', 'concurrent_change'],
    isLimited: true,
    lambda: {
      stack: 'Account',
      tableActions: ['GetItem', 'ConditionCheckItem', 'PutItem', 'DeleteItem'],
    },
    words: {
      section: 'Organization',
      summary: 'Delete a category',
      description: "A category that a policy uses can't be deleted.",
      fields: categoryWords,
      example: { path: { key: 'offers' } },
    },
  },
  // Refused while a policy uses it. If the organization changes at the same moment, its policies are checked again.
  async ({ caller, path }, { table, now }) => {
    const { organizationId, actor } = caller;
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const [organization, category] = await Promise.all([
        organizationOf(table, caller),
        getCategory(table, organizationId, path.key),
      ]);
      if (category === undefined) throw new ServiceError('category_not_found');
      requireUnused(category.key, organization);
      const change = { action: 'category.deleted', target: category.key, before: category };
      const entry = newAuditEntry(organizationId, actor, change, now());
      if ((await deleteCategory(table, organization, category, entry)) === 'deleted') return;
    }
    throw new ServiceError('concurrent_change');
  },
);

const maxTries = 2;

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
