import { describe, expect, it } from 'vitest';
import { changeOrganization } from '#shared/organizations/change-organization';
import type { Organization } from '#shared/organizations/organization';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { openAccount } from '../../support/account.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const rename = (given: Organization) => ({ ...given, name: `${given.name}!` });

async function openExample(given: Partial<Organization> = {}) {
  const account = await openAccount({ name: 'Example', ...given });
  const edit = (
    change: (given: Organization) => Organization = rename,
    id = account.organizationId,
  ) => changeOrganization(id, 'operator', change, account);
  return { ...account, edit };
}

describe('changeOrganization', () => {
  it('replaces the version that it read, with the audit entry of what is different', async () => {
    const { edit, organization, stored, audit, clock } = await openExample();

    const changed = await edit();

    expect(changed).toEqual({ ...organization, name: 'Example!', updatedAt: clock.at });
    expect(await stored()).toEqual(changed);
    expect(await audit()).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        at: clock.at,
        actor: 'operator',
        action: 'organization.updated',
        target: organization.id,
        before: { name: 'Example' },
        after: { name: 'Example!' },
      },
    ]);
  });

  it('writes nothing when nothing changes', async () => {
    const { edit, organization, stored, audit } = await openExample();

    const same = await edit((given) => ({ ...given, paused: false }));

    expect(same).toEqual(organization);
    expect(await stored()).toEqual(organization);
    expect(await audit()).toEqual([]);
  });

  it('applies the change again on top of a concurrent one', async () => {
    const account = await openExample();
    account.beforeNextWrite(() => account.change({ name: 'Other' }));

    const changed = await account.edit();

    expect(changed.name).toBe('Other!');
    expect(await account.stored()).toEqual(changed);
  });

  it('gives up when other requests changed it twice', async () => {
    const account = await openExample();
    account.beforeNextWrite(
      () => account.change({ name: 'Other' }),
      () => account.change({ name: 'Another' }),
    );

    const error = await serviceErrorOf(() => account.edit());

    expect(error.code).toBe('concurrent_change');
    expect((await account.stored())?.name).toBe('Another');
  });

  it("doesn't find an organization that's deleted while it's changed", async () => {
    const account = await openExample();
    account.beforeNextWrite(() => account.remove());

    const error = await serviceErrorOf(() => account.edit());

    expect(error.code).toBe('organization_not_found');
  });

  it("doesn't find an organization that doesn't exist", async () => {
    const { edit } = await openExample();

    const error = await serviceErrorOf(() => edit(rename, newOrganizationId()));

    expect(error.code).toBe('organization_not_found');
  });

  it('never gives two versions the same moment, even when clocks differ', async () => {
    const updatedAt = 1_750_000_060_000;
    const { edit, clock } = await openExample({ updatedAt });

    const changed = await edit();

    expect(clock.at).toBeLessThan(updatedAt);
    expect(changed.updatedAt).toBe(updatedAt + 1);
  });

  it('shows the audit only that there is an address', async () => {
    const { edit, audit } = await openExample({ replyTo: 'ann@example.com' });

    await edit(({ replyTo: _, ...rest }) => ({ ...rest, noticeEmail: 'bob@example.com' }));

    expect(await audit()).toMatchObject([
      {
        before: { replyTo: 'an address', noticeEmail: null },
        after: { replyTo: null, noticeEmail: 'an address' },
      },
    ]);
  });
});
