import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { anyOf, is, isNew, onlyIf } from '#shared/table/conditional-update';
import { linkDomainKey } from '#shared/table/keys';
import { getItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { type TransactionItem, writeIf } from '#shared/table/writes';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import { type HavingLinkDomains, linkDomainsOf } from './link-domains.ts';
import type { Organization } from './organization.ts';

const ownerSchema = z.object({ organizationId: organizationIdSchema });

/** A link domain belongs to one organization at a time, which the host's item names. */
export async function getLinkDomainOwner(
  table: Table,
  host: string,
): Promise<OrganizationId | undefined> {
  const item = await getItem(table, linkDomainKey(host));
  return item === undefined ? undefined : ownerSchema.parse(item).organizationId;
}

/** Frees a deleted organization's host. Does nothing if another has the host by now. */
export async function freeLinkDomain(
  table: Table,
  host: string,
  owner: OrganizationId,
): Promise<void> {
  const remove = { TableName: table.name, Key: linkDomainKey(host), ...isFreeFor(owner) };
  await writeIf(() => table.client.send(new DeleteCommand(remove)));
}

/** Goes beside a change of the organization: new hosts must be free, and those given up become free. */
export function linkDomainChanges(
  { id, ...before }: HavingLinkDomains & Pick<Organization, 'id'>,
  after: HavingLinkDomains,
): TransactionItem[] {
  const [had, has] = [linkDomainsOf(before), linkDomainsOf(after)];
  return [
    ...has
      .filter((host) => !had.includes(host))
      .map((host) => ({
        Put: { Item: { ...linkDomainKey(host), organizationId: id }, ...isFreeFor(id) },
      })),
    ...had
      .filter((host) => !has.includes(host))
      .map((host) => ({ Delete: { Key: linkDomainKey(host), ...isFreeFor(id) } })),
  ];
}

const isFreeFor = (organizationId: OrganizationId) =>
  onlyIf(anyOf(isNew, is('organizationId', organizationId)));
