import { ServiceError } from '#shared/errors/service-error';
import type { Table } from '#shared/table/table-client';
import {
  type OrganizationId,
  ownId,
  type TemplateId,
  templateIdSchema,
} from '#shared/tokens/resource-id';
import { publishedOf, type Template } from './template.ts';
import { getTemplate, getTemplateIdOfAlias, getTemplateVersion } from './template-store.ts';
import { asOfVersion } from './template-versions.ts';

/** Another organization's template gets the same answer as one that never existed. */
export async function findTemplate(
  table: Table,
  organizationId: OrganizationId,
  id: TemplateId,
): Promise<Template> {
  const templateId = ownId(id, organizationId);
  const template = templateId && (await getTemplate(table, templateId));
  if (template === undefined) throw new ServiceError('template_not_found');
  return template;
}

/** @param name an id, which may be another organization's, or an alias. */
export async function findTemplateId(
  table: Table,
  organizationId: OrganizationId,
  name: string,
): Promise<TemplateId> {
  const id =
    templateIdSchema.safeParse(name).data ??
    (await getTemplateIdOfAlias(table, organizationId, name));
  if (id === undefined) throw new ServiceError('template_not_found');
  return id;
}

/** The newest version, the published one, or an earlier one. */
export async function findVersion(
  table: Table,
  template: Template,
  version: number,
): Promise<Template> {
  if (version === template.version) return template;
  const taken = publishedOf(template);
  const kept = template.versions?.find((one) => one.version === version);
  const edition =
    taken?.version === version
      ? taken
      : kept && (await getTemplateVersion(table, template.id, kept));
  if (edition === undefined) {
    throw new ServiceError(
      'template_not_found',
      'The template has no such version, or keeps it no longer.',
    );
  }
  return asOfVersion(template, edition);
}
