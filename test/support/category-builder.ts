import type { CategoryStore } from '#shared/preferences/category-store';
import { unexpected } from './unexpected.ts';

/** Fakes the store of categories. Functions that are not given throw. */
export const fakeCategoryStore = (given: Partial<CategoryStore> = {}): CategoryStore => ({
  list: unexpected('categories.list'),
  get: unexpected('categories.get'),
  ...given,
});
