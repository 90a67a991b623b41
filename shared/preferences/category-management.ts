import { openApiKeyStore } from '#shared/access/api-key-store';
import type { Table } from '#shared/table/table-client';
import { openCategoryStore } from './category-store.ts';

export const openCategoryManagement = (table: Table) => ({
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  categories: openCategoryStore(table),
});
export type CategoryManagement = ReturnType<typeof openCategoryManagement>;
