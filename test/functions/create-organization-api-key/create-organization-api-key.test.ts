import { describe, expect, it } from 'vitest';
import { scopes } from '#shared/access/scopes';
import { newOrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { createOrganizationApiKey } from '../../../functions/create-organization-api-key/create-organization-api-key.ts';
import { fakeOrganizationManagement } from '../../support/organization-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const organizationId = newOrganizationId();
const request = { path: { id: organizationId } };

describe('createOrganizationApiKey', () => {
  it('stores a key with every scope, and audits that the operator created it', async () => {
    const stored: unknown[] = [];
    const management = fakeOrganizationManagement({
      addApiKey: async (...args) => {
        stored.push(args);
        return 'stored';
      },
    });

    const { text, apiKey } = await createOrganizationApiKey(request, management);

    const entry = {
      actor: 'operator',
      action: 'api_key.created',
      target: apiKey.id,
      after: { name: 'manager', scopes },
    };
    expect(stored).toEqual([[apiKey, expect.objectContaining(entry)]]);
    expect(organizationIdOf(apiKey.id)).toBe(organizationId);
    expect(apiKey.scopes).toEqual(scopes);
    expect(JSON.stringify(stored)).not.toContain(text.slice(-32));
  });

  it('creates none for an unknown organization', async () => {
    const management = fakeOrganizationManagement({ addApiKey: async () => 'unknown' });

    const error = await serviceErrorOf(() => createOrganizationApiKey(request, management));

    expect(error.code).toBe('organization_not_found');
  });
});
