import { describe, expect, it } from 'vitest';
import { changeOrganization } from '#shared/organizations/change-organization';
import type { Organization } from '#shared/organizations/organization';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { buildOrganization } from '../../support/organization-builder.ts';
import {
  fakeOrganizationVersions,
  managementNow,
} from '../../support/organization-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const organization = buildOrganization({ name: 'Example' });
const rename = (given: Organization) => ({ ...given, name: `${given.name}!` });

/** Edits of the organization, which is read in these versions; writes end in these outcomes. */
function prepare(...versions: Parameters<typeof fakeOrganizationVersions>) {
  const { management, written } = fakeOrganizationVersions(...versions);
  const change = (edit: (given: Organization) => Organization = rename, id = organization.id) =>
    changeOrganization(id, 'operator', edit, management);
  return { change, written };
}

describe('changeOrganization', () => {
  it('replaces the version that it read, with the audit entry of what is different', async () => {
    const { change, written } = prepare([organization]);

    const changed = await change();

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
        beside: [],
      },
    ]);
  });

  it('writes nothing when nothing changes', async () => {
    const { change, written } = prepare([organization]);

    const same = await change((given) => ({ ...given, paused: false }));

    expect(same).toEqual(organization);
    expect(written).toEqual([]);
  });

  it('makes the change once more, to what another request left at the same moment', async () => {
    const theirs = { ...organization, name: 'Other', updatedAt: organization.updatedAt + 1 };
    const { change } = prepare([organization, theirs], ['changed_meanwhile', 'stored']);

    const changed = await change();

    expect(changed.name).toBe('Other!');
  });

  it('gives up when other requests changed it twice', async () => {
    const { change, written } = prepare(
      [organization, organization, organization],
      ['changed_meanwhile', 'changed_meanwhile', 'stored'],
    );

    const error = await serviceErrorOf(() => change());

    expect(error.code).toBe('concurrent_change');
    expect(written).toHaveLength(2);
  });

  it('does not find an organization that was deleted at the same moment', async () => {
    const { change } = prepare([organization, undefined], ['changed_meanwhile']);

    const error = await serviceErrorOf(() => change());

    expect(error.code).toBe('organization_not_found');
  });

  it('does not find an organization that does not exist', async () => {
    const { change } = prepare([organization]);

    const error = await serviceErrorOf(() => change(rename, newOrganizationId()));

    expect(error.code).toBe('organization_not_found');
  });

  it('never gives two versions the same moment, even when clocks differ', async () => {
    const ahead = { ...organization, updatedAt: managementNow + 60_000 };
    const { change } = prepare([ahead]);

    const changed = await change();

    expect(changed.updatedAt).toBe(managementNow + 60_001);
  });

  it('tells the audit of an address only that there is one', async () => {
    const before = { ...organization, replyTo: 'ann@example.com' };
    const { change, written } = prepare([before]);

    await change(({ replyTo: _, ...rest }) => ({ ...rest, noticeEmail: 'bob@example.com' }));

    expect(written[0]?.entry).toMatchObject({
      before: { replyTo: 'an address', noticeEmail: null },
      after: { replyTo: null, noticeEmail: 'an address' },
    });
  });
});
