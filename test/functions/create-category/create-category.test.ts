import { describe, expect, it } from 'vitest';
import type { Category } from '#shared/preferences/preferences';
import { endpoint as createCategory } from '../../../functions/create-category/create-category.ts';
import { fakeCategoryStore } from '../../support/category-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const manager = buildManager();
const news = { key: 'news', name: 'News' };

function prepare(existing: readonly Category[], outcome: 'stored' | 'key_taken' = 'stored') {
  const stored: unknown[] = [];
  const categories = fakeCategoryStore({
    list: async () => [...existing],
    create: async (...args) => {
      stored.push(args);
      return outcome;
    },
  });
  const request = { caller: manager.caller, body: news };
  const run = () => createCategory.run({ ...surroundings, ...request }, { ...manager, categories });
  return { run, stored };
}

describe('createCategory', () => {
  it('stores a category of the organization, on behalf of the key', async () => {
    const { run, stored } = prepare([]);

    expect(await run()).toEqual(news);

    const entry = { actor: manager.actor, action: 'category.created', target: 'news', after: news };
    expect(stored).toEqual([[manager.organizationId, news, expect.objectContaining(entry)]]);
  });

  it('refuses an existing key, even in concurrent requests', async () => {
    const taken = prepare([{ ...news, name: 'Old' }]);
    const takenMeanwhile = prepare([], 'key_taken');

    expect((await serviceErrorOf(taken.run)).code).toBe('category_key_taken');
    expect((await serviceErrorOf(takenMeanwhile.run)).code).toBe('category_key_taken');
    expect(taken.stored).toEqual([]);
  });

  it('refuses one category too many', async () => {
    const hundred = Array.from({ length: 100 }, (_, index) => ({ key: `c${index}`, name: 'C' }));
    const { run, stored } = prepare(hundred);

    expect((await serviceErrorOf(run)).code).toBe('too_many_categories');
    expect(stored).toEqual([]);
  });
});
