import { type AuditEntry, newAuditEntry } from '#shared/audit/audit-entry';
import { newOrganizationId } from '#shared/tokens/resource-id';

/** An entry for a change whose audit a test says nothing about. */
export const anyEntry = (): AuditEntry =>
  newAuditEntry(
    newOrganizationId(),
    'operator',
    { action: 'any.change', target: 'any' },
    Date.now(),
  );
