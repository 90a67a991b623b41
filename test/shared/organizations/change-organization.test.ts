import { describe, expect, it } from 'vitest';
import { changeOrganization } from '#shared/organizations/change-organization';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { buildOrganization } from '../../support/organization-builder.ts';
import {
  fakeOrganizationVersions,
  managementNow,
} from '../../support/organization-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const organization = buildOrganization({ name: 'Example' });
const rename = (given: typeof organization) => ({ ...given, name: `${given.name}!` });

describe('changeOrganization', () => {
  it('replaces the version that it read, with the audit entry of what is different', async () => {
    const { management, written } = fakeOrganizationVersions([organization]);

    const changed = await changeOrganization(organization.id, 'operator', rename, management);

    expect(changed).toEqual({ ...organization, name: 'Example!', updatedAt: managementNow });
    expect(written).toEqual([
      {
        before: organization,
        after: changed,
        entry: {
          id: expect.stringMatching(/^aud_/),
          at: managementNow,
          actor: 'operator',
          action: 'organization.updated',
          target: organization.id,
          before: { name: 'Example' },
          after: { name: 'Example!' },
        },
      },
    ]);
  });

  it('writes nothing when nothing changes', async () => {
    const { management, written } = fakeOrganizationVersions([organization]);

    const same = await changeOrganization(
      organization.id,
      'operator',
      (given) => ({ ...given, paused: false }),
      management,
    );

    expect(same).toEqual(organization);
    expect(written).toEqual([]);
  });

  it('makes the change once more, to what another request left at the same moment', async () => {
    const theirs = { ...organization, name: 'Other', updatedAt: organization.updatedAt + 1 };
    const { management } = fakeOrganizationVersions(
      [organization, theirs],
      ['changed_meanwhile', 'stored'],
    );

    const changed = await changeOrganization(organization.id, 'operator', rename, management);

    expect(changed.name).toBe('Other!');
  });

  it('gives up when other requests changed it twice', async () => {
    const { management, written } = fakeOrganizationVersions(
      [organization, organization, organization],
      ['changed_meanwhile', 'changed_meanwhile', 'stored'],
    );

    const error = await serviceErrorOf(() =>
      changeOrganization(organization.id, 'operator', rename, management),
    );

    expect(error.code).toBe('concurrent_change');
    expect(written).toHaveLength(2);
  });

  it('does not find an organization that was deleted at the same moment', async () => {
    const { management } = fakeOrganizationVersions(
      [organization, undefined],
      ['changed_meanwhile'],
    );

    const error = await serviceErrorOf(() =>
      changeOrganization(organization.id, 'operator', rename, management),
    );

    expect(error.code).toBe('organization_not_found');
  });

  it('does not find an organization that does not exist', async () => {
    const { management } = fakeOrganizationVersions([organization]);

    const error = await serviceErrorOf(() =>
      changeOrganization(newOrganizationId(), 'operator', rename, management),
    );

    expect(error.code).toBe('organization_not_found');
  });

  it('never gives two versions the same moment, even when clocks differ', async () => {
    const ahead = { ...organization, updatedAt: managementNow + 60_000 };
    const { management } = fakeOrganizationVersions([ahead]);

    const changed = await changeOrganization(organization.id, 'operator', rename, management);

    expect(changed.updatedAt).toBe(managementNow + 60_001);
  });

  it('tells the audit of an address only that there is one', async () => {
    const before = { ...organization, replyTo: 'ann@example.com' };
    const { management, written } = fakeOrganizationVersions([before]);

    await changeOrganization(
      organization.id,
      'operator',
      ({ replyTo: _, ...rest }) => ({ ...rest, noticeEmail: 'bob@example.com' }),
      management,
    );

    expect(written[0]?.entry).toMatchObject({
      before: { replyTo: 'an address', noticeEmail: null },
      after: { replyTo: null, noticeEmail: 'an address' },
    });
  });
});
