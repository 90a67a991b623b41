import { requireScope } from '#shared/organizations/api-key';
import { authenticateKey } from '#shared/organizations/authenticate-caller';
import { changeTemplate } from '#shared/templates/change-template';
import type { Template } from '#shared/templates/template';
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
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `template_not_found`,
 *   `version_mismatch`, `concurrent_change`
 */
export async function deleteTemplate(
  { credential, id, ifMatch }: DeleteTemplateCommand,
  dependencies: TemplateDependencies,
): Promise<void> {
  const apiKey = await authenticateKey(credential, dependencies);
  requireScope(apiKey, 'templates_manage');
  const remove = async (template: Template) => ({
    outcome: await dependencies.deleteTemplate(template),
    after: template,
  });
  const target = { id, organizationId: organizationIdOf(apiKey.id), ifMatch };
  await changeTemplate(target, remove, dependencies.getTemplate);
}
