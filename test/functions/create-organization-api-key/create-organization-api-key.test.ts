import { describe, expect, it } from 'vitest';
import { getApiKey } from '#shared/access/api-key-store';
import { wideScopes } from '#shared/access/scopes';
import { newOrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { createOrganizationApiKey } from '../../../functions/create-organization-api-key/create-organization-api-key.ts';
import { openAccount } from '../../support/account.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

describe('createOrganizationApiKey', () => {
  it('stores a key that may do everything, and audits that the operator created it', async () => {
    const { organizationId, audit, items, ...account } = await openAccount();

    const { text, apiKey } = await createOrganizationApiKey(
      { caller: { actor: 'operator' }, path: { id: organizationId } },
      account,
    );

    const stored = await getApiKey(account.table, apiKey.id);
    expect(stored?.apiKey).toEqual(apiKey);
    expect(organizationIdOf(apiKey.id)).toBe(organizationId);
    expect(apiKey.scopes).toEqual(wideScopes);
    expect(await audit()).toMatchObject([
      {
        ...{ actor: 'operator', action: 'api_key.created', target: apiKey.id },
        after: { name: 'manager', scopes: wideScopes },
      },
    ]);
    expect(JSON.stringify(items())).not.toContain(text.slice(-32));
  });

  it('creates none for an unknown organization', async () => {
    const account = await openAccount();
    const before = account.items();

    const error = await serviceErrorOf(() =>
      createOrganizationApiKey(
        { caller: { actor: 'operator' }, path: { id: newOrganizationId() } },
        account,
      ),
    );

    expect(error.code).toBe('organization_not_found');
    expect(account.items()).toEqual(before);
  });
});
