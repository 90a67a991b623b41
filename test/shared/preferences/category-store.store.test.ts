import { describe, expect, it } from 'vitest';
import { openApiKeyStore } from '#shared/access/api-key-store';

import { listCategories, putNewCategory } from '#shared/preferences/category-store';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

describe('categories', () => {
  it('are listed by key, and nothing else of the organization is', async () => {
    const organizationId = newOrganizationId();
    await openApiKeyStore(table).put(buildApiKey({ organizationId }).apiKey);
    await putNewCategory(table, organizationId, { key: 'offers', name: 'Offers' });
    await putNewCategory(table, organizationId, { key: 'news', name: 'News' });

    expect(await listCategories(table, organizationId)).toEqual([
      { key: 'news', name: 'News' },
      { key: 'offers', name: 'Offers' },
    ]);
  });

  it('are an empty list at first', async () => {
    expect(await listCategories(table, newOrganizationId())).toEqual([]);
  });

  it('are never overwritten', async () => {
    const organizationId = newOrganizationId();
    await putNewCategory(table, organizationId, { key: 'news', name: 'News' });

    await expect(
      putNewCategory(table, organizationId, { key: 'news', name: 'Other' }),
    ).rejects.toThrow();
    expect(await listCategories(table, organizationId)).toEqual([{ key: 'news', name: 'News' }]);
  });
});
