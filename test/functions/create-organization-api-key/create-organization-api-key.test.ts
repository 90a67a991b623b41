import { describe, expect, it } from 'vitest';
import { scopes } from '#shared/access/scopes';
import { newOrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { createOrganizationApiKey } from '../../../functions/create-organization-api-key/create-organization-api-key.ts';
import { fakeOrganizationManagement } from '../../support/organization-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const organizationId = newOrganizationId();

describe('createOrganizationApiKey', () => {
  it('stores a key with every scope, and that the operator made it', async () => {
    const stored: unknown[] = [];
    const management = fakeOrganizationManagement({
      addApiKey: async (...args) => {
        stored.push(args);
        return 'stored';
      },
    });

    const { text, apiKey } = await createOrganizationApiKey(organizationId, management);

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

  it('makes none for an organization that is not there', async () => {
    const management = fakeOrganizationManagement({ addApiKey: async () => 'unknown' });
    const codeFor = async (id: typeof organizationId | undefined) =>
      (await serviceErrorOf(() => createOrganizationApiKey(id, management))).code;

    expect(await codeFor(organizationId)).toBe('organization_not_found');
    expect(await codeFor(undefined)).toBe('organization_not_found');
  });
});
