import * as z from 'zod/mini';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import { linkDomainChanges } from '#shared/organizations/link-domain-store';
import type { Organization } from '#shared/organizations/organization';
import { getOrganization } from '#shared/organizations/organization-store';
import { is, onlyIf } from '#shared/table/conditional-update';
import {
  deletedOrganizationKey,
  deletedOrganizationListIndexKey,
  organizationKey,
} from '#shared/table/keys';
import { getItem, readItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/writes';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import { type IdentityChange, putVersion } from './identity-items.ts';
import { listIdentities } from './identity-store.ts';

/** Kept while anything else of the organization may remain. */
const deletedOrganizationSchema = z.object({
  id: organizationIdSchema,
  name: z.string(),
  deletedAt: z.int(),
});
type DeletedOrganization = z.infer<typeof deletedOrganizationSchema>;

export async function getOrganizationWithIdentities(table: Table, id: OrganizationId) {
  const [organization, identities] = await Promise.all([
    getOrganization(table, id),
    listIdentities(table, id),
  ]);
  return { organization, identities };
}

export async function getDeletedOrganization(
  table: Table,
  id: OrganizationId,
): Promise<DeletedOrganization | undefined> {
  const item = await getItem(table, deletedOrganizationKey(id));
  return item === undefined
    ? undefined
    : readItem('deleted organization', deletedOrganizationSchema, item);
}

/**
 * Requires the organization's name. A mark replaces it until nothing else of it is left. The same transaction marks its
 * domains for removal from SES, and frees its link domains.
 */
export async function storeOrganizationDeletion(
  table: Table,
  organization: Pick<Organization, 'id' | 'name' | 'linkDomain' | 'formerLinkDomains'>,
  identities: readonly IdentityChange[],
  entry: AuditEntry,
): Promise<'deleted' | 'changed_meanwhile'> {
  const { id, name } = organization;
  const deleted: DeletedOrganization = { id, name, deletedAt: entry.at };
  const outcome = await transactWrite(table, [
    { Delete: { Key: organizationKey(id), ...onlyIf(is('name', name)) } },
    {
      Put: {
        Item: {
          ...deletedOrganizationKey(id),
          ...deletedOrganizationListIndexKey(id, deleted.deletedAt),
          ...deleted,
        },
      },
    },
    ...identities.map((identity) => putVersion(identity)),
    ...linkDomainChanges(organization, {}),
    putAuditEntry(entry),
  ]);
  return outcome.committed ? 'deleted' : 'changed_meanwhile';
}
