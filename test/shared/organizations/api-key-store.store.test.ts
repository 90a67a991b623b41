import { describe, expect, it } from 'vitest';
import { getApiKey, putNewApiKey } from '#shared/organizations/api-key-store';
import { newApiKeyId, newOrganizationId } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

describe('an API key', () => {
  it('is read as it was stored', async () => {
    const { apiKey } = buildApiKey({ scopes: ['send_email'], perMinuteCap: 60, validUntil: 9 });

    await putNewApiKey(table, apiKey);

    expect(await getApiKey(table, apiKey.id)).toEqual(apiKey);
  });

  it('is never overwritten', async () => {
    const { apiKey } = buildApiKey();
    await putNewApiKey(table, apiKey);

    await expect(putNewApiKey(table, { ...apiKey, name: 'another' })).rejects.toThrow();
    expect(await getApiKey(table, apiKey.id)).toEqual(apiKey);
  });

  it('that was never made is not there', async () => {
    expect(await getApiKey(table, newApiKeyId(newOrganizationId()))).toBeUndefined();
  });
});
