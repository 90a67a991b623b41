import { describe, expect, it } from 'vitest';
import { indexContact, readContactPage } from '#shared/contacts/contact-list-store';
import { ensureContact, eraseContact } from '#shared/contacts/contact-store';
import { suppressAddress } from '#shared/suppressions/suppression-store';
import { contactListIndexKey } from '#shared/table/keys';
import { contactIdOf, newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { listErasedAgain } from '../../support/stale-index.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

/** Creates contacts, and puts them into the list. */
async function create(organizationId: OrganizationId, ...identities: readonly string[]) {
  for (const identity of identities) {
    await ensureContact(table, organizationId, identity, 1_000);
    await indexContact(table, contactIdOf(organizationId, identity), identity);
  }
}

async function addressesOf(organizationId: OrganizationId, prefix = '') {
  const { contacts: found } = await readContactPage(table, organizationId, { prefix, limit: 100 });
  return found.map(({ email }) => email);
}

describe('the list of contacts', () => {
  it('has the contacts of one organization by address, those that begin so', async () => {
    const [own, other] = [newOrganizationId(), newOrganizationId()];
    await create(own, 'zoe@example.com', 'ann@example.org', 'ann@example.com', 'anna@example.com');
    await create(other, 'ann@example.com');

    expect(await addressesOf(own)).toEqual([
      'ann@example.com',
      'ann@example.org',
      'anna@example.com',
      'zoe@example.com',
    ]);
    expect(await addressesOf(own, 'ann@')).toEqual(['ann@example.com', 'ann@example.org']);
    expect(await addressesOf(own, 'b')).toEqual([]);
  });

  it('is read page by page, each contact once, also when others come in between', async () => {
    const organizationId = newOrganizationId();
    await create(organizationId, 'b@x.org', 'd@x.org', 'f@x.org');

    const page = await readContactPage(table, organizationId, { prefix: '', limit: 2 });
    await create(organizationId, 'a@x.org', 'e@x.org');
    const rest = await readContactPage(table, organizationId, {
      prefix: '',
      limit: 2,
      after: page.next,
    });

    expect(page.contacts.map(({ email }) => email)).toEqual(['b@x.org', 'd@x.org']);
    expect(rest.contacts.map(({ email }) => email)).toEqual(['e@x.org', 'f@x.org']);
    expect(rest.next).toBeUndefined();
  });

  it('shows a contact as it stands now', async () => {
    const organizationId = newOrganizationId();
    await create(organizationId, 'ann@example.com');
    await suppressAddress(
      table,
      organizationId,
      { identity: 'ann@example.com', reason: 'bounce' },
      2_000,
    );

    const { contacts: found } = await readContactPage(table, organizationId, {
      prefix: '',
      limit: 1,
    });

    expect(found).toMatchObject([{ bounce: { at: 2_000 }, updatedAt: 2_000 }]);
  });

  it('loses a person who is erased, even if their address is indexed late', async () => {
    const organizationId = newOrganizationId();
    const id = contactIdOf(organizationId, 'ann@example.com');
    await create(organizationId, 'ann@example.com');

    await eraseContact(table, id, 2_000);
    await indexContact(table, id, 'ann@example.com');

    expect(await addressesOf(organizationId)).toEqual([]);
  });

  it('leaves out an erased person whom the index still has', async () => {
    const organizationId = newOrganizationId();
    await create(organizationId, 'ann@example.com', 'bob@example.com');
    await eraseContact(table, contactIdOf(organizationId, 'ann@example.com'), 2_000);
    await listErasedAgain(table, organizationId, 'ann@example.com');

    expect(await addressesOf(organizationId)).toEqual(['bob@example.com']);
  });

  it('spreads contacts over partitions, and merges these page by page', async () => {
    const organizationId = newOrganizationId();
    const identities = Array.from({ length: 40 }, (_, index) => `p${index + 10}@example.com`);
    // By their bytes: a full-width letter comes before a character beyond the first 65,536.
    const far = ['\uff41@example.com', '\u{10400}@example.com'];
    await create(organizationId, ...identities.toReversed(), ...far.toReversed());

    const pages: string[][] = [];
    let after: string | undefined;
    do {
      const page = await readContactPage(table, organizationId, { prefix: '', limit: 9, after });
      pages.push(page.contacts.map(({ email }) => email));
      after = page.next;
    } while (after !== undefined);

    const partitions = identities.map(
      (identity) => contactListIndexKey(identity, contactIdOf(organizationId, identity)).gsi2pk,
    );
    expect(new Set(partitions).size).toBeGreaterThan(4);
    expect(pages.flat()).toEqual([...identities, ...far]);
    expect(pages.map(({ length }) => length)).toEqual([9, 9, 9, 9, 6]);
  });

  it('has a person again who became known again after their erasure', async () => {
    const organizationId = newOrganizationId();
    await create(organizationId, 'ann@example.com');
    const id = contactIdOf(organizationId, 'ann@example.com');
    await eraseContact(table, id, 2_000);

    await ensureContact(table, organizationId, 'ann@example.com', 3_000);
    await indexContact(table, id, 'ann@example.com');

    expect(await addressesOf(organizationId)).toEqual(['ann@example.com']);
  });

  it("gets no contact that doesn't exist, as when its organization was just deleted", async () => {
    const organizationId = newOrganizationId();

    await indexContact(table, contactIdOf(organizationId, 'ann@example.com'), 'ann@example.com');

    expect(await addressesOf(organizationId)).toEqual([]);
  });
});
