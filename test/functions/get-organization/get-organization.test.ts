import { describe, expect, it } from 'vitest';
import { toLimitsView } from '#shared/organizations/limits-view';
import { exampleUse } from '#shared/organizations/organization-reference';
import { endpoint } from '../../../functions/get-organization/get-organization.ts';
import { buildOrganization } from '../../support/organization-builder.ts';

const organization = buildOrganization({
  footerText: 'Example Ltd',
  noticeEmail: 'a@example.com',
  tenant: { sending: 'paused', reason: 'High bounce rate' },
  limits: { apiKeys: 20 },
});

describe('the organization as the operator sees it', () => {
  it('has its status and its limits, falling back to the deployment’s, and none of its settings', () => {
    const limits = toLimitsView(organization.limits, { apiKeys: 30, templates: 40 });

    const today = { sends: 3, delivered: 2, bouncedRecipients: 1, complainedRecipients: 0 };

    const answer = endpoint.answers[200].body.parse({
      ...organization,
      ...{ limits, use: exampleUse, today },
    });

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
        domains: { limit: 20, isDefault: true },
        uploadBytesPerDay: { limit: 100_000_000_000, isDefault: true },
        changesPerDay: { limit: 10_000, isDefault: true },
        contactsPerDay: { limit: 1_000_000, isDefault: true },
        waitingBytesPerDay: { limit: 20_000_000_000, isDefault: true },
        requestedDeliveriesPerDay: { limit: 100_000, isDefault: true },
        signInLinksPerDay: { limit: 100, isDefault: true },
      },
      use: exampleUse,
      today,
    });
  });
});
