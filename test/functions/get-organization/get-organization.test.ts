import { describe, expect, it } from 'vitest';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { getOrganization } from '../../../functions/get-organization/get-organization.ts';
import { responseSchema } from '../../../functions/get-organization/schema.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const organization = buildOrganization({
  footerText: 'Example Ltd',
  noticeEmail: 'a@example.com',
  tenant: { sending: 'paused', reason: 'High bounce rate' },
});
const organizations = {
  get: async (id: string) => (id === organization.id ? organization : undefined),
};

describe('getOrganization', () => {
  it('answers what the operator is to know of the organization', async () => {
    const answer = responseSchema.parse(await getOrganization(organization.id, organizations));

    const { id, name, paused, attachmentsEnabled, identity, tenant } = organization;
    const { createdAt, updatedAt } = organization;
    expect(answer).toEqual({
      ...{ id, name, paused, attachmentsEnabled, linksDisabled: false },
      ...{ identity, tenant, createdAt, updatedAt },
    });
  });

  it.each([undefined, newOrganizationId()])('does not find %s', async (id) => {
    const error = await serviceErrorOf(() => getOrganization(id, organizations));

    expect(error.code).toBe('organization_not_found');
  });
});
