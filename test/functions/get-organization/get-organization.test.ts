import { describe, expect, it } from 'vitest';
import { exampleUse } from '#shared/organizations/organization-reference';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { endpoint } from '../../../functions/get-organization/endpoint.ts';
import { getOrganization } from '../../../functions/get-organization/get-organization.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const organization = buildOrganization({
  footerText: 'Example Ltd',
  noticeEmail: 'a@example.com',
  tenant: { sending: 'paused', reason: 'High bounce rate' },
  limits: { apiKeys: 20 },
});
const reading = {
  organizations: {
    get: async (id: string) => (id === organization.id ? organization : undefined),
  },
  readUse: async () => exampleUse,
  limitsOfDeployment: { apiKeys: 30, templates: 40 },
};

describe('getOrganization', () => {
  it('answers what the operator is to know of the organization', async () => {
    const answer = endpoint.answers[200].body.parse(
      await getOrganization(organization.id, reading),
    );

    const { id, name, paused, attachmentsEnabled, identity, tenant } = organization;
    const { createdAt, updatedAt } = organization;
    expect(answer).toEqual({
      ...{ id, name, paused, attachmentsEnabled, linksDisabled: false },
      ...{ identity, tenant, createdAt, updatedAt },
      limits: {
        sendsPerSecond: { limit: null, isDefault: true },
        recipientsPerDay: { limit: 10_000_000, isDefault: true },
        apiKeys: { limit: 20, isDefault: false },
        templates: { limit: 40, isDefault: true },
        webhooks: { limit: 20, isDefault: true },
        policies: { limit: 50, isDefault: true },
        categories: { limit: 100, isDefault: true },
        uploadBytesPerDay: { limit: 100_000_000_000, isDefault: true },
      },
      use: exampleUse,
    });
  });

  it.each([undefined, newOrganizationId()])('does not find %s', async (id) => {
    const error = await serviceErrorOf(() => getOrganization(id, reading));

    expect(error.code).toBe('organization_not_found');
  });
});
