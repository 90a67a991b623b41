import { requireScope } from '#shared/organizations/api-key';
import { authenticateKey } from '#shared/organizations/authenticate-caller';
import { findTemplate, requireStored, requireVersion } from '#shared/templates/find-template';
import type { TemplateDependencies } from '#shared/templates/template-dependencies';
import { organizationIdOf } from '#shared/tokens/resource-id';

export type DeleteTemplateCommand = {
  readonly credential: string | undefined;
  readonly id: string;
  readonly ifMatch: string | undefined;
};

/**
 * Deletes a template; its name is free again.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `template_not_found`, `version_mismatch`
 */
export async function deleteTemplate(
  { credential, id, ifMatch }: DeleteTemplateCommand,
  dependencies: TemplateDependencies,
): Promise<void> {
  const apiKey = await authenticateKey(credential, dependencies);
  requireScope(apiKey, 'templates_manage');
  const template = await findTemplate(id, organizationIdOf(apiKey.id), dependencies.getTemplate);
  requireVersion(template, ifMatch);
  requireStored(await dependencies.deleteTemplate(template));
}
