import { admitCaller } from '#shared/access/authenticate';
import { requireScope } from '#shared/access/scopes';
import { changeTemplate } from '#shared/templates/change-template';
import type { Template } from '#shared/templates/template';
import { templateEntryOf } from '#shared/templates/template-audit';
import type { Templates } from '#shared/templates/templates';
import { organizationIdOf, type TemplateId } from '#shared/tokens/resource-id';

export type DeleteTemplateCommand = {
  readonly credential: string | undefined;
  readonly id: TemplateId | undefined;
  readonly ifMatch: string | undefined;
};

/**
 * Deletes a template. Its name is free again.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `template_not_found`,
 *   `version_mismatch`, `concurrent_change`
 */
export async function deleteTemplate(
  { credential, id, ifMatch }: DeleteTemplateCommand,
  { templates, ...authentication }: Templates,
): Promise<void> {
  const caller = await admitCaller(credential, authentication);
  const { apiKey } = caller;
  requireScope(apiKey, 'templates_manage');
  const remove = async (template: Template) => ({
    outcome: await templates.delete(
      template,
      templateEntryOf(caller, { before: template }, authentication.now()),
    ),
    after: template,
  });
  const target = { id, organizationId: organizationIdOf(apiKey.id), ifMatch };
  await changeTemplate(target, remove, templates);
}
