import { beforeEach, describe, expect, it, vi } from 'vitest';
import { eraseContact, getContact } from '#shared/contacts/contact-store';
import { suppressAddress } from '#shared/suppressions/suppression-store';
import { digest } from '#shared/tokens/base32';
import { contactIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { keysOfThoseHolding, wholeTableInMemory } from '../../support/organization-items.ts';

beforeEach(() => {
  vi.stubEnv('CONTACT_DIGEST_KEY', 'k'.repeat(64));
});

const address = 'ann@example.com';

async function suppressAndErase() {
  const { table, readItems } = wholeTableInMemory();
  const organizationId = newOrganizationId();
  await suppressAddress(table, organizationId, { identity: address, reason: 'bounce' }, 1_000);
  await eraseContact(table, contactIdOf(organizationId, address), 2_000);
  return { table, organizationId, items: await readItems(organizationId) };
}

describe('a person who bounced and was erased, where digests have a key', () => {
  it('stays suppressed', async () => {
    const { table, organizationId } = await suppressAndErase();

    const contact = await getContact(table, contactIdOf(organizationId, address));

    expect(contact).toMatchObject({ bounce: { at: 1_000 } });
    expect(contact).not.toHaveProperty('email');
  });

  it('can’t be found in a copy of the table by guessing the address', async () => {
    const { organizationId, items } = await suppressAndErase();

    const guess = digest(`${organizationId} ${address}`);

    expect(items).not.toEqual([]);
    expect(keysOfThoseHolding(items, guess)).toEqual([]);
    expect(keysOfThoseHolding(items, address)).toEqual([]);
  });

  it('is found by nobody without the key, who is told so', async () => {
    const { organizationId } = await suppressAndErase();
    vi.stubEnv('CONTACT_DIGEST_KEY', undefined);

    expect(() => contactIdOf(organizationId, address)).toThrow('CONTACT_DIGEST_KEY');
  });
});
