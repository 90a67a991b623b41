import * as z from 'zod/mini';
import { organizationKey } from '#shared/table/keys';
import { getItem, readItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { organizationSchema } from './organization.ts';

const tenancySchema = z.pick(organizationSchema, { tenant: true });

/** Whether an organization is a tenant of SES, whose sends name it then. */
export async function isTenant(table: Table, id: OrganizationId): Promise<boolean> {
  const item = await getItem(table, organizationKey(id));
  return item !== undefined && readItem('organization', tenancySchema, item).tenant !== undefined;
}
