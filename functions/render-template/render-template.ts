import { authenticateKey } from '#shared/access/authenticate';
import { findTemplate } from '#shared/templates/find-template';
import { type RenderedTemplate, renderOrRefuse } from '#shared/templates/render-or-refuse';
import type { Variables } from '#shared/templates/render-parts';
import type { Templates } from '#shared/templates/templates';
import { organizationIdOf, type TemplateId } from '#shared/tokens/resource-id';

/**
 * Renders a template with variables, for any key of its organization.
 *
 * @param parse reads the variables, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `validation_failed`, `template_not_found`, `rendered_too_large`
 */
export async function renderTemplate(
  credential: string | undefined,
  id: TemplateId | undefined,
  parse: () => Variables,
  { templates, ...authentication }: Templates,
): Promise<RenderedTemplate> {
  const apiKey = await authenticateKey(credential, authentication);
  const variables = parse();
  const template = await findTemplate(id, organizationIdOf(apiKey.id), templates);
  return renderOrRefuse(template, variables);
}
