import { describe, expect, it } from 'vitest';
import { endpoint as updateCategory } from '../../../functions/update-category/update-category.ts';
import { fakeCategoryStore } from '../../support/category-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const manager = buildManager();
const before = { key: 'news', name: 'News' };
const after = { key: 'news', name: 'Newsletter' };

function prepare(name: string, key = 'news', outcome: 'stored' | 'changed_meanwhile' = 'stored') {
  const written: unknown[] = [];
  const categories = fakeCategoryStore({
    get: async (_id, wanted) => (wanted === 'news' ? before : undefined),
    rename: async (...args) => {
      written.push(args);
      return outcome;
    },
  });
  const request = { caller: manager.caller, path: { key }, body: { name } };
  const run = () =>
    updateCategory.run({ ...surroundings, ...request }, { now: manager.now, categories });
  return { run, written };
}

describe('updateCategory', () => {
  it('renames a category, in the name of the key', async () => {
    const { run, written } = prepare('Newsletter');

    expect(await run()).toEqual(after);

    const entry = expect.objectContaining({
      ...{ actor: manager.actor, action: 'category.updated', target: 'news' },
      ...{ before: { name: 'News' }, after: { name: 'Newsletter' } },
    });
    expect(written).toEqual([[manager.organizationId, before, after, entry]]);
  });

  it('writes nothing when the category has that name already', async () => {
    const { run, written } = prepare('News');

    expect(await run()).toEqual(before);
    expect(written).toEqual([]);
  });

  it('answers category_not_found for a key that the organization does not have', async () => {
    expect((await serviceErrorOf(prepare('X', 'offers').run)).code).toBe('category_not_found');
  });

  it('answers concurrent_change to the second of two that rename it at once', async () => {
    const { run } = prepare('Newsletter', 'news', 'changed_meanwhile');

    expect((await serviceErrorOf(run)).code).toBe('concurrent_change');
  });
});
