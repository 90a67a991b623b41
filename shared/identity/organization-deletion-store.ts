import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import {
  type DeletedOrganization,
  deletedOrganizationSchema,
} from '#shared/organizations/deleted-organization';
import { organizationKey } from '#shared/table/keys';
import {
  deletedOrganizationKey,
  deletedOrganizationListIndexKey,
} from '#shared/table/organization-keys';
import { readItem } from '#shared/table/read-item';
import type { Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/transact-write';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { type IdentityChange, putVersion } from './identity-items.ts';
import { openIdentityStore } from './identity-store.ts';

const hasName = '#name = :name';

export const openOrganizationDeletionStore = (table: Table) => ({
  /** The organization, and its identities. */
  async read(id: OrganizationId) {
    const identities = openIdentityStore(table);
    const [{ organization }, all] = await Promise.all([
      identities.read(id),
      identities.readAll(id),
    ]);
    return { organization, identities: all };
  },

  /** Reads the mark of a deleted organization, strongly consistent. */
  async getDeleted(id: OrganizationId): Promise<DeletedOrganization | undefined> {
    const { Item } = await table.client.send(
      new GetCommand({
        TableName: table.name,
        Key: deletedOrganizationKey(id),
        ConsistentRead: true,
      }),
    );
    return Item === undefined
      ? undefined
      : readItem('deleted organization', deletedOrganizationSchema, Item);
  },

  /**
   * Deletes an organization that has this name. A mark takes its place until nothing else of it is left. In the same
   * transaction its identities become ones whose domains leave SES, so that others may have them.
   */
  async delete(
    deleted: DeletedOrganization,
    identities: readonly IdentityChange[],
    entry: AuditEntry,
  ): Promise<'deleted' | 'changed_meanwhile'> {
    const { id, name, deletedAt } = deleted;
    const outcome = await transactWrite(table, [
      {
        Delete: {
          TableName: table.name,
          Key: organizationKey(id),
          ConditionExpression: hasName,
          ExpressionAttributeNames: { '#name': 'name' },
          ExpressionAttributeValues: { ':name': name },
        },
      },
      {
        Put: {
          TableName: table.name,
          Item: {
            ...deletedOrganizationKey(id),
            ...deletedOrganizationListIndexKey(id, deletedAt),
            ...deleted,
          },
        },
      },
      ...identities.map((identity) => putVersion(table, identity)),
      putAuditEntry(table, entry),
    ]);
    return outcome.committed ? 'deleted' : 'changed_meanwhile';
  },
});
export type OrganizationDeletionStore = ReturnType<typeof openOrganizationDeletionStore>;
