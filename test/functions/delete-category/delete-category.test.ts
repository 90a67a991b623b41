import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { deleteCategory } from '../../../functions/delete-category/delete-category.ts';
import { fakeCategoryManagementStore } from '../../support/category-management-builder.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

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
  const categories = fakeCategoryManagementStore({
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
  const run = () => deleteCategory(manager.credential, key, { ...manager, categories });
  return { run, deleted };
}

describe('deleteCategory', () => {
  it('deletes a category that no policy names, in the name of the key', async () => {
    const { run, deleted } = prepare([free]);

    await run();

    const entry = { actor: manager.actor, action: 'category.deleted', before: news };
    expect(deleted).toEqual([[free, news, expect.objectContaining(entry)]]);
  });

  it('keeps one that a policy names, and says which', async () => {
    const { run, deleted } = prepare([naming]);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('category_in_use');
    expect(error.message).toContain('letters');
    expect(deleted).toEqual([]);
  });

  it('keeps one that a policy names which was stored at the same moment', async () => {
    const { run } = prepare([free, naming], ['changed_meanwhile']);

    expect((await serviceErrorOf(run)).code).toBe('category_in_use');
  });

  it('is tried once more when the organization changed, and then given up', async () => {
    const other = { ...free, name: 'Other', updatedAt: free.updatedAt + 1 };
    const once = prepare([free, other], ['changed_meanwhile', 'deleted']);
    const twice = prepare([free, other, other], ['changed_meanwhile', 'changed_meanwhile']);

    await once.run();

    expect(once.deleted[1]).toEqual([other, news, expect.anything()]);
    expect((await serviceErrorOf(twice.run)).code).toBe('concurrent_change');
  });

  it('does not find another category', async () => {
    const { run } = prepare([free], [], 'offers');

    expect((await serviceErrorOf(run)).code).toBe('category_not_found');
  });

  it('does nothing for who may not manage the organization', async () => {
    const refusals = await refusalsOf((credential, authentication) =>
      deleteCategory(credential, 'news', {
        ...authentication,
        categories: fakeCategoryManagementStore(),
      }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
