import { ServiceError } from '#shared/errors/service-error';
import type { Table } from '#shared/table/table-client';
import {
  openTemplateAliasStore,
  type TemplateAliasStore,
} from '#shared/templates/template-alias-store';
import { openTemplates } from '#shared/templates/templates';
import { type OrganizationId, type TemplateId, templateIdSchema } from '#shared/tokens/resource-id';

/** By id or alias. */
export const openNamedTemplates = (table: Table) => ({
  ...openTemplates(table),
  aliases: openTemplateAliasStore(table),
});

export async function templateIdOf(
  name: string,
  organizationId: OrganizationId,
  { aliases }: { readonly aliases: TemplateAliasStore },
): Promise<TemplateId> {
  const id = templateIdSchema.safeParse(name).data ?? (await aliases.idOf(organizationId, name));
  if (id === undefined) throw new ServiceError('template_not_found');
  return id;
}
