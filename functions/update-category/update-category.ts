import * as z from 'zod/mini';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { categoryPath } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import { categoryName } from '#shared/organizations/organization-fields';
import { categoryWords, exampleCategory } from '#shared/preferences/category-reference';
import { getCategory, renameCategory } from '#shared/preferences/category-store';
import { categorySchema } from '#shared/preferences/preferences';

export const endpoint = defineEndpoint(
  {
    route: 'PATCH /api/v1/categories/{key}',
    access: { key: 'required', scope: 'manage_organization' },
    ...categoryPath,
    body: z.strictObject({ name: categoryName }),
    answers: {
      200: {
        body: categorySchema,
        description: 'The category as it is now.',
        example: exampleCategory,
      },
    },
    errors: ['concurrent_change'],
    isLimited: true,
    lambda: { stack: 'Account', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
    words: {
      section: 'Organization',
      summary: 'Rename a category',
      description: "The key can't change: preferences are stored under it.",
      fields: categoryWords,
      example: { path: { key: 'offers' }, body: { name: 'Offers' } },
    },
  },
  // If two requests rename it at once, exactly one succeeds.
  async ({ caller, path, body: { name } }, { table, now }) => {
    const { organizationId, actor } = caller;
    const before = await getCategory(table, organizationId, path.key);
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
    const outcome = await renameCategory(table, organizationId, before, after, entry);
    if (outcome === 'changed_meanwhile') throw new ServiceError('concurrent_change');
    return after;
  },
);
