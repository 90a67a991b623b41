import type { Contact } from '#shared/contacts/contact';
import { contactIdOf, newOrganizationId } from '#shared/tokens/resource-id';

/** A contact that nothing blocks. */
export function buildContact(overrides: Partial<Contact> = {}): Contact {
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
