import { authenticateKey } from '#shared/access/authenticate';
import { findTemplate } from '#shared/templates/find-template';
import type { Template } from '#shared/templates/template';
import type { Templates } from '#shared/templates/templates';
import { organizationIdOf, type TemplateId } from '#shared/tokens/resource-id';

/**
 * Reads a template, for any key of its organization.
 *
 * @throws ServiceError `invalid_api_key`, `template_not_found`
 */
export async function getTemplate(
  credential: string | undefined,
  id: TemplateId | undefined,
  { templates, ...authentication }: Templates,
): Promise<Template> {
  const apiKey = await authenticateKey(credential, authentication);
  return findTemplate(id, organizationIdOf(apiKey.id), templates);
}
