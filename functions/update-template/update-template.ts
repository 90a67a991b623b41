import { requireScope } from '#shared/organizations/api-key';
import { authenticateKey } from '#shared/organizations/authenticate-caller';
import { findTemplate, requireStored, requireVersion } from '#shared/templates/find-template';
import type { Template } from '#shared/templates/template';
import type { TemplateDependencies } from '#shared/templates/template-dependencies';
import { organizationIdOf } from '#shared/tokens/resource-id';
import type { UpdateTemplateRequest } from './schema.ts';

export type UpdateTemplateCommand = {
  readonly credential: string | undefined;
  readonly id: string;
  readonly ifMatch: string | undefined;
};

/**
 * Changes the fields that are given. Of two changes of one version the second is refused, with or
 * without `If-Match`: neither is lost without a word.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `template_not_found`,
 *   `version_mismatch`, `template_name_taken`
 */
export async function updateTemplate(
  { credential, id, ifMatch }: UpdateTemplateCommand,
  parse: () => UpdateTemplateRequest,
  dependencies: TemplateDependencies,
): Promise<Template> {
  const apiKey = await authenticateKey(credential, dependencies);
  requireScope(apiKey, 'templates_manage');
  const changes = parse();
  const before = await findTemplate(id, organizationIdOf(apiKey.id), dependencies.getTemplate);
  requireVersion(before, ifMatch);
  const version = before.version + 1;
  const after = { ...before, ...changes, version, updatedAt: dependencies.now() };
  requireStored(await dependencies.replaceTemplate(before, after));
  return after;
}
