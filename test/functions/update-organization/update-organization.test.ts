import { describe, expect, it } from 'vitest';
import { requestSchema } from '../../../functions/update-organization/schema.ts';
import { updateOrganization } from '../../../functions/update-organization/update-organization.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import {
  fakeOrganizationVersions,
  managementNow,
} from '../../support/organization-management-builder.ts';

describe('updateOrganization', () => {
  it('changes the given fields, in the name of the operator', async () => {
    const organization = buildOrganization();
    const { management, written } = fakeOrganizationVersions([organization]);

    const changed = await updateOrganization(
      organization.id,
      requestSchema.parse({ paused: true }),
      management,
    );

    expect(changed).toEqual({ ...organization, paused: true, updatedAt: managementNow });
    expect(written[0]?.entry).toMatchObject({
      actor: 'operator',
      before: { paused: false },
      after: { paused: true },
    });
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
  ])('is refused as %o', (body) => {
    expect(requestSchema.safeParse(body).success).toBe(false);
  });
});
