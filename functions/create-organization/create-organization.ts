import { apiKeyCreated, type NewApiKey, newManagerKey } from '#shared/access/api-key';
import type { OrganizationManagement } from '#shared/access/organization-management';
import { newAuditEntry } from '#shared/audit/audit-entry';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { contactDigestOf, type Organization } from '#shared/organizations/organization';
import { newCursorSecret } from '#shared/table/cursor';
import { newOrganizationId } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

/** Creates an organization, and a key that may do everything in it. */
export async function createOrganization(
  { body: { name, attachmentsEnabled } }: Pick<RequestTo<typeof endpoint>, 'body'>,
  { now: readClock, organizations }: OrganizationManagement,
): Promise<{ readonly organization: Organization; readonly firstKey: NewApiKey }> {
  const now = readClock();
  const id = newOrganizationId();
  const organization: Organization = {
    id,
    name,
    paused: false,
    attachmentsEnabled,
    policies: {},
    webhooks: {},
    ...contactDigestOf(id),
    cursorSecret: newCursorSecret(),
    createdAt: now,
    updatedAt: now,
  };
  const firstKey = newManagerKey(organization.id, now);
  const change = {
    action: 'organization.created',
    target: organization.id,
    after: { name, attachmentsEnabled },
  };
  await organizations.create(organization, firstKey.apiKey, [
    newAuditEntry(organization.id, 'operator', change, now),
    apiKeyCreated(firstKey.apiKey, 'operator'),
  ]);
  return { organization, firstKey };
}
