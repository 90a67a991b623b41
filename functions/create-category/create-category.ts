import * as z from 'zod/mini';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { limitsInForce, requireBelowLimit } from '#shared/organizations/limits-in-force';
import { categoryName, resourceKey } from '#shared/organizations/organization-fields';
import { categoryWords, exampleCategory } from '#shared/preferences/category-reference';
import { createCategory, listCategories } from '#shared/preferences/category-store';
import { categorySchema } from '#shared/preferences/preferences';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/categories',
    access: { key: 'required', scope: 'manage_organization' },
    body: z.strictObject({ key: resourceKey, name: categoryName }),
    answers: {
      201: {
        body: categorySchema,
        description: 'The category.',
        example: exampleCategory,
      },
    },
    errors: ['category_key_taken', 'too_many_categories'],
    isLimited: true,
    lambda: {
      stack: 'Account',
      tableActions: ['GetItem', 'Query', 'ConditionCheckItem', 'PutItem'],
    },
    words: {
      section: 'Organization',
      summary: 'Create a category',
      description:
        'A topic that people can subscribe to and unsubscribe from. Everyone is subscribed at first, except those who unsubscribed from an earlier category with the same key.',
      fields: categoryWords,
      example: { body: exampleCategory },
    },
  },
  // Every contact is subscribed until it opts out. Opt-outs from an earlier category with this key still apply.
  async ({ caller, body: category }, { table, now, limitsOfDeployment }) => {
    const { organizationId, actor, ownLimits } = caller;
    const existing = await listCategories(table, organizationId);
    if (existing.some(({ key }) => key === category.key)) {
      throw new ServiceError('category_key_taken');
    }
    requireBelowLimit('categories', existing.length, limitsInForce(ownLimits, limitsOfDeployment));
    const change = { action: 'category.created', target: category.key, after: category };
    const entry = newAuditEntry(organizationId, actor, change, now());
    const outcome = await createCategory(table, organizationId, category, entry);
    if (outcome === 'key_taken') throw new ServiceError('category_key_taken');
    return category;
  },
);
