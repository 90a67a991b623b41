import { contactDigestOf, type Organization } from '#shared/organizations/organization';
import { newCursorSecret } from '#shared/table/cursor';
import { newOrganizationId } from '#shared/tokens/resource-id';

/** An organization that may send. */
export function buildOrganization(overrides: Partial<Organization> = {}): Organization {
  const { id = newOrganizationId() } = overrides;
  return {
    id,
    name: 'Example Ltd',
    paused: false,
    attachmentsEnabled: false,
    identity: { domain: 'mail.example.com', fromEmail: 'hello@mail.example.com', status: 'active' },
    policies: {},
    webhooks: {},
    cursorSecret: newCursorSecret(),
    ...contactDigestOf(id),
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
    ...overrides,
  };
}
