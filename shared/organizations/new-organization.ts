import { type Actor, type AuditEntry, newAuditEntry } from '#shared/audit/audit-entry';
import { newCursorSecret } from '#shared/table/cursor';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { contactDigestOf, type Organization } from './organization.ts';

/** Makes an organization as the operator does, with its audit entry. `now` in epoch milliseconds. */
export function newOrganization(
  { name, attachmentsEnabled }: Pick<Organization, 'name' | 'attachmentsEnabled'>,
  actor: Actor,
  now: number,
): { readonly organization: Organization; readonly created: AuditEntry } {
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
  const change = {
    action: 'organization.created',
    target: id,
    after: { name, attachmentsEnabled },
  };
  return { organization, created: newAuditEntry(id, actor, change, now) };
}
