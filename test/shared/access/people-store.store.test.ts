import { describe, expect, it } from 'vitest';
import { findOtherManager, getApiKey, storeApiKeyChange } from '#shared/access/api-key-store';
import {
  countPeople,
  findPersonalKeys,
  readActorNames,
  readPeoplePage,
  storePerson,
} from '#shared/access/people-store';
import { newPerson } from '#shared/access/person';
import type { Role } from '#shared/access/roles';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { listAuditEntries, putAuditEntry } from '#shared/audit/audit-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { randomBase32 } from '#shared/tokens/base32';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const now = 1_750_000_000_000;

const newIdentity = () => `${randomBase32()}@example.com`;

async function newOrganization(): Promise<OrganizationId> {
  const id = newOrganizationId();
  await putOrganization(table, buildOrganization({ id }));
  return id;
}

type Invitation = { readonly identity?: string; readonly role?: Role; readonly at?: number };

async function invite(
  organizationId: OrganizationId,
  { identity = newIdentity(), role = 'support', at = now }: Invitation = {},
) {
  const person = newPerson({ organizationId }, { identity, role }, at);
  await storePerson(table, person, []);
  return person;
}

const entryOf = (organizationId: OrganizationId) =>
  newAuditEntry(organizationId, 'operator', { action: 'person.removed', target: 'x' }, now);

/** Removes somebody as `removePerson` does. */
async function remove(person: Awaited<ReturnType<typeof invite>>, organizationId: OrganizationId) {
  const after = { ...person, revokedAt: now, updatedAt: person.updatedAt + 1 };
  const change = { before: person, after };
  expect(await storeApiKeyChange(table, change, entryOf(organizationId))).toBe('stored');
}

const range = { before: undefined, limit: 2 };

describe('a person', () => {
  it('is read back as stored, with what the role allows now', async () => {
    const person = await invite(await newOrganization(), { role: 'admin' });

    expect((await getApiKey(table, person.id))?.apiKey).toEqual(person);
    expect(person.scopes).toContain('manage_organization');
  });

  it('is listed by their organization, latest first, page by page, and counted', async () => {
    const organizationId = await newOrganization();
    const [first, second, third] = [
      await invite(organizationId, { at: now }),
      await invite(organizationId, { at: now + 1 }),
      await invite(organizationId, { at: now + 2 }),
    ];
    await invite(await newOrganization());

    const page = await readPeoplePage(table, organizationId, range);
    const rest = await readPeoplePage(table, organizationId, { ...range, before: page.next });

    expect(page.people).toEqual([third, second]);
    expect(rest).toEqual({ people: [first], next: undefined });
    expect(await countPeople(table, organizationId)).toBe(3);
  });

  it('is found by the address in every organization that invited it', async () => {
    const identity = newIdentity();
    const [one, other] = [
      await invite(await newOrganization(), { identity }),
      await invite(await newOrganization(), { identity }),
    ];

    const found = await findPersonalKeys(table, identity);

    expect(found.toSorted()).toEqual([one.id, other.id].toSorted());
    expect(await findPersonalKeys(table, newIdentity())).toEqual([]);
  });

  it('who was removed is in no list, but still named, and can be invited again', async () => {
    const organizationId = await newOrganization();
    const identity = newIdentity();
    const person = await invite(organizationId, { identity });
    await remove(person, organizationId);

    expect((await readPeoplePage(table, organizationId, range)).people).toEqual([]);
    expect(await countPeople(table, organizationId)).toBe(0);
    expect(await findPersonalKeys(table, identity)).toEqual([]);
    const nameOf = await readActorNames(table, [{ actor: person.id, isPerson: true }]);
    expect(nameOf({ actor: person.id })).toEqual({ person: identity });

    const again = newPerson({ organizationId }, { identity, role: 'viewer' }, now + 1);
    expect(await storePerson(table, again, [])).toBe('stored');
    expect(await findPersonalKeys(table, identity)).toEqual([person.id]);
  });

  it('who is there is not invited again, and nothing beside is stored', async () => {
    const organizationId = await newOrganization();
    const identity = newIdentity();
    const person = await invite(organizationId, { identity });
    const again = newPerson({ organizationId }, { identity, role: 'admin' }, now + 1);

    const outcome = await storePerson(table, again, [putAuditEntry(entryOf(organizationId))]);

    expect(outcome).toBe('exists');
    expect((await getApiKey(table, person.id))?.apiKey).toEqual(person);
    const { entries } = await listAuditEntries(table, organizationId, range, now);
    expect(entries).toEqual([]);
  });

  it('who is an admin can manage the organization once they have come', async () => {
    const organizationId = await newOrganization();
    const person = await invite(organizationId, { role: 'admin' });
    const nobody = (await invite(organizationId)).id;
    const before = await findOtherManager(table, organizationId, nobody, now);

    const after = { ...person, lastUsedAt: now, updatedAt: person.updatedAt + 1 };
    await storeApiKeyChange(table, { before: person, after }, entryOf(organizationId));

    expect(before).toBeUndefined();
    expect(await findOtherManager(table, organizationId, nobody, now)).toBe(person.id);
  });
});

it('a program is named by nobody, and costs no read', async () => {
  const nameOf = await readActorNames(table, [{ actor: 'operator' }]);

  expect(nameOf({ actor: 'operator' })).toEqual({});
});
