import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { endpoint as deleteCategory } from '../../../functions/delete-category/delete-category.ts';
import { fakeCategoryStore } from '../../support/category-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const manager = buildManager();
const news = { key: 'news', name: 'News' };
const free = buildOrganization({ id: manager.organizationId });
const naming = {
  ...free,
  policies: { letters: { kind: 'bulk', categoryKey: 'news' } },
  updatedAt: free.updatedAt + 1,
} as const;

/** Deletes a category of an organization that is read in these versions, one after the other. */
function prepare(
  versions: readonly Organization[],
  outcomes: readonly ('deleted' | 'changed_meanwhile')[] = ['deleted'],
  key = 'news',
) {
  const deleted: unknown[] = [];
  let reads = 0;
  const categories = fakeCategoryStore({
    getOrganization: async () => {
      reads += 1;
      return versions[reads - 1];
    },
    get: async (_id, wanted) => (wanted === 'news' ? news : undefined),
    delete: async (...args) => {
      deleted.push(args);
      return outcomes[deleted.length - 1] ?? 'changed_meanwhile';
    },
  });
  const request = { caller: manager.caller, path: { key } };
  const run = () =>
    deleteCategory.run({ ...surroundings, ...request }, { now: manager.now, categories });
  return { run, deleted };
}

describe('deleteCategory', () => {
  it('deletes a category that no policy names, on behalf of the key', async () => {
    const { run, deleted } = prepare([free]);

    await run();

    const entry = { actor: manager.actor, action: 'category.deleted', before: news };
    expect(deleted).toEqual([[free, news, expect.objectContaining(entry)]]);
  });

  it('keeps a category that a policy uses, and names the policy', async () => {
    const { run, deleted } = prepare([naming]);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('category_in_use');
    expect(error.message).toContain('letters');
    expect(deleted).toEqual([]);
  });

  it('keeps a category that a concurrently stored policy uses', async () => {
    const { run } = prepare([free, naming], ['changed_meanwhile']);

    expect((await serviceErrorOf(run)).code).toBe('category_in_use');
  });

  it('retries once when the organization changed, then gives up', async () => {
    const other = { ...free, name: 'Other', updatedAt: free.updatedAt + 1 };
    const once = prepare([free, other], ['changed_meanwhile', 'deleted']);
    const twice = prepare([free, other, other], ['changed_meanwhile', 'changed_meanwhile']);

    await once.run();

    expect(once.deleted[1]).toEqual([other, news, expect.anything()]);
    expect((await serviceErrorOf(twice.run)).code).toBe('concurrent_change');
  });

  it("returns category_not_found for a key that the organization doesn't have", async () => {
    const { run } = prepare([free], [], 'offers');

    expect((await serviceErrorOf(run)).code).toBe('category_not_found');
  });
});
