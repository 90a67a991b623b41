import { newAuditEntry } from '#shared/audit/audit-entry';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import {
  type GivenLimits,
  limitsInForce,
  requireRoom,
} from '#shared/organizations/organization-limits';
import type { CategoryStore } from '#shared/preferences/category-store';
import type { Category } from '#shared/preferences/preferences';
import type { endpoint } from './endpoint.ts';

type CategoryCreating = {
  readonly now: () => number;
  readonly categories: Pick<CategoryStore, 'list' | 'create'>;
  readonly limitsOfDeployment: GivenLimits;
};

/** Every contact is subscribed until it opts out. Opt-outs from an earlier category with this key still apply. */
export async function createCategory(
  { caller, body: category }: RequestTo<typeof endpoint>,
  { now, categories, limitsOfDeployment }: CategoryCreating,
): Promise<Category> {
  const { organizationId, actor, ownLimits } = caller;
  const existing = await categories.list(organizationId);
  if (existing.some(({ key }) => key === category.key)) {
    throw new ServiceError('category_key_taken');
  }
  requireRoom('categories', existing.length, limitsInForce(ownLimits, limitsOfDeployment));
  const change = { action: 'category.created', target: category.key, after: category };
  const entry = newAuditEntry(organizationId, actor, change, now());
  const outcome = await categories.create(organizationId, category, entry);
  if (outcome === 'key_taken') throw new ServiceError('category_key_taken');
  return category;
}
