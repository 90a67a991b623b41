import { openAuthentication } from '#shared/access/authenticate';
import type { Table } from '#shared/table/table-client';
import { openCategoryStore } from './category-store.ts';

export const openCategoryManagement = (table: Table) => ({
  ...openAuthentication(table),
  categories: openCategoryStore(table),
});
