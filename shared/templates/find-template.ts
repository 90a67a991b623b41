import { ServiceError } from '#shared/errors/service-error';
import { type OrganizationId, ownId, type TemplateId } from '#shared/tokens/resource-id';
import type { Template } from './template.ts';
import type { TemplateStore } from './template-store.ts';

/**
 * Finds a template of the organization. Refuses another organization's template with the same error as one
 * that does not exist.
 *
 * @throws ServiceError `template_not_found`
 */
export async function findTemplate(
  id: TemplateId | undefined,
  organizationId: OrganizationId,
  templates: TemplateStore,
): Promise<Template> {
  const templateId = ownId(id, organizationId);
  const template = templateId && (await templates.get(templateId));
  if (template === undefined) {
    throw new ServiceError('template_not_found', 'There is no template with this id.');
  }
  return template;
}
