import { ServiceError } from '#shared/errors/service-error';
import {
  type OrganizationId,
  readOwnId,
  type TemplateId,
  templateIdSchema,
} from '#shared/tokens/resource-id';
import type { Template } from './template.ts';

/**
 * Finds a template of the organization; another organization's is as unknown as one that never was.
 *
 * @throws ServiceError `template_not_found`
 */
export async function findTemplate(
  id: string,
  organizationId: OrganizationId,
  getTemplate: (id: TemplateId) => Promise<Template | undefined>,
): Promise<Template> {
  const templateId = readOwnId(templateIdSchema, id, organizationId);
  const template = templateId && (await getTemplate(templateId));
  if (template === undefined) {
    throw new ServiceError('template_not_found', 'There is no template with this id.');
  }
  return template;
}
