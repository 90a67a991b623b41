import { describe, expect, it } from 'vitest';
import type { OrganizationManagement } from '#shared/access/organization-management';
import type { Organization } from '#shared/organizations/organization';
import {
  endpoint,
  updateOrganization,
} from '../../../functions/update-organization/update-organization.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import {
  fakeOrganizationVersions,
  managementNow,
} from '../../support/organization-management-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const update = ({ id }: Organization, body: object, management: OrganizationManagement) =>
  updateOrganization(
    { path: { id }, body: endpoint.body.parse(body) },
    {
      ...management,
      linkDomains: [],
      linkDomainStore: { ownerOf: unexpected('ownerOf'), free: unexpected('free') },
    },
  );

describe('updateOrganization', () => {
  it('changes the given fields, in the name of the operator', async () => {
    const organization = buildOrganization();
    const { management, written } = fakeOrganizationVersions([organization]);

    const changed = await update(organization, { paused: true }, management);

    expect(changed).toEqual({ ...organization, paused: true, updatedAt: managementNow });
    expect(written[0]?.entry).toMatchObject({
      actor: 'operator',
      before: { paused: false },
      after: { paused: true },
    });
  });

  it('sets the limits that are named, and gives back those that are null', async () => {
    const organization = buildOrganization({ limits: { apiKeys: 5, templates: 6 } });
    const { management, written } = fakeOrganizationVersions([organization]);

    const changed = await update(
      organization,
      { limits: { apiKeys: null, webhooks: 2 } },
      management,
    );

    expect(changed.limits).toEqual({ templates: 6, webhooks: 2 });
    expect(written[0]?.entry).toMatchObject({
      before: { limits: { apiKeys: 5, templates: 6 } },
      after: { limits: { templates: 6, webhooks: 2 } },
    });
  });

  it('keeps no limits when all are given back', async () => {
    const organization = buildOrganization({ limits: { apiKeys: 5 } });
    const { management } = fakeOrganizationVersions([organization]);

    const changed = await update(organization, { limits: { apiKeys: null } }, management);

    expect(changed).not.toHaveProperty('limits');
  });
});

describe('the request', () => {
  it.each([
    {},
    { paused: 'yes' },
    { paused: null },
    { name: '' },
    { name: 'a\nb' },
    { footerText: 'x' },
    { limits: { apiKeys: 0 } },
    { limits: { webhooks: 21 } },
    { limits: { apiKey: 5 } },
  ])('is refused as %o', (body) => {
    expect(endpoint.body.safeParse(body).success).toBe(false);
  });
});
