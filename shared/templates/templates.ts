import { ServiceError } from '#shared/errors/service-error';
import type { Table } from '#shared/table/table-client';
import { type OrganizationId, ownId, type TemplateId } from '#shared/tokens/resource-id';
import { publishedOf, type Template } from './template.ts';
import { openTemplateStore, type TemplateStore } from './template-store.ts';
import { asOfVersion } from './template-versions.ts';

export const openTemplates = (table: Table) => ({ templates: openTemplateStore(table) });
export type Templates = ReturnType<typeof openTemplates> & { readonly now: () => number };

/** Another organization's template gets the same answer as one that never existed. */
export async function findTemplate(
  id: TemplateId,
  organizationId: OrganizationId,
  templates: TemplateStore,
): Promise<Template> {
  const templateId = ownId(id, organizationId);
  const template = templateId && (await templates.get(templateId));
  if (template === undefined) throw new ServiceError('template_not_found');
  return template;
}

/** The newest version, the published one, or an earlier one. */
export async function findVersion(
  template: Template,
  version: number,
  templates: TemplateStore,
): Promise<Template> {
  if (version === template.version) return template;
  const taken = publishedOf(template);
  const kept = template.versions?.find((one) => one.version === version);
  const edition =
    taken?.version === version ? taken : kept && (await templates.getVersion(template.id, kept));
  if (edition === undefined) {
    throw new ServiceError(
      'template_not_found',
      'The template has no such version, or keeps it no longer.',
    );
  }
  return asOfVersion(template, edition);
}
