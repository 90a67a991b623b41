import { ServiceError } from '#shared/errors/service-error';
import { type OrganizationId, ownId, type TemplateId } from '#shared/tokens/resource-id';
import type { Template } from './template.ts';
import type { TemplateStore } from './template-store.ts';

/**
 * Finds a template of the organization. Another organization's template gets the same answer as one that never existed.
 *
 * @throws ServiceError `template_not_found`
 */
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
