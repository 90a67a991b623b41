import * as z from 'zod/mini';
import { templateAliasKey } from '#shared/table/keys';
import { getItem, readItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { type OrganizationId, type TemplateId, templateIdSchema } from '#shared/tokens/resource-id';

const aliasItemSchema = z.object({ templateId: templateIdSchema });

export const openTemplateAliasStore = (table: Table) => ({
  /** Strongly consistent. */
  async idOf(organizationId: OrganizationId, alias: string): Promise<TemplateId | undefined> {
    const item = await getItem(table, templateAliasKey(organizationId, alias));
    return item && readItem('template', aliasItemSchema, item).templateId;
  },
});
export type TemplateAliasStore = ReturnType<typeof openTemplateAliasStore>;
