import type { CategoryManagementStore } from '#shared/preferences/category-management-store';
import { unexpected } from './unexpected.ts';

/** Fakes the store of categories. Functions that are not given throw. */
export const fakeCategoryManagementStore = (
  given: Partial<CategoryManagementStore> = {},
): CategoryManagementStore => ({
  getOrganization: unexpected('categories.getOrganization'),
  list: unexpected('categories.list'),
  get: unexpected('categories.get'),
  create: unexpected('categories.create'),
  rename: unexpected('categories.rename'),
  delete: unexpected('categories.delete'),
  ...given,
});
