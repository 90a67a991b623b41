import { authenticateKey } from '#shared/organizations/authenticate-caller';
import { findTemplate } from '#shared/templates/find-template';
import type { Template } from '#shared/templates/template';
import type { TemplateDependencies } from '#shared/templates/template-dependencies';
import { organizationIdOf } from '#shared/tokens/resource-id';

/**
 * Reads a template, for any key of its organization.
 *
 * @throws ServiceError `invalid_api_key`, `template_not_found`
 */
export async function getTemplate(
  credential: string | undefined,
  id: string,
  dependencies: TemplateDependencies,
): Promise<Template> {
  const apiKey = await authenticateKey(credential, dependencies);
  return findTemplate(id, organizationIdOf(apiKey.id), dependencies.getTemplate);
}
