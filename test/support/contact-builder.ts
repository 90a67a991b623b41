import type { Contact, KnownContact } from '#shared/contacts/contact';
import { contactIdOf, newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';

/** A contact that nothing blocks, whose address is known. */
export function buildContact(overrides: Partial<KnownContact> = {}): KnownContact {
  const email = overrides.email ?? 'ann@example.com';
  return {
    id: contactIdOf(newOrganizationId(), email),
    email,
    subscriptions: {},
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
    ...overrides,
  };
}

/** What is left of a contact whose person was erased. */
export function buildErasedContact(overrides: Partial<Omit<Contact, 'email'>> = {}): Contact {
  const { email: _email, ...contact } = buildContact();
  return { ...contact, erasedAt: 1_710_000_000_000, ...overrides };
}

/** An address in an organization of its own. */
export type Somebody = { readonly organizationId: OrganizationId; readonly identity: string };

export const newSomebody = (identity = 'ann@example.com'): Somebody => ({
  organizationId: newOrganizationId(),
  identity,
});

export const idOf = ({ organizationId, identity }: Somebody) =>
  contactIdOf(organizationId, identity);
