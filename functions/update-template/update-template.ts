import { admitCaller } from '#shared/access/authenticate';
import { requireScope } from '#shared/access/scopes';
import { changeTemplate } from '#shared/templates/change-template';
import { mergeTemplate } from '#shared/templates/merge-template';
import type { Template } from '#shared/templates/template';
import { templateEntryOf } from '#shared/templates/template-audit';
import type { Templates } from '#shared/templates/templates';
import { organizationIdOf, type TemplateId } from '#shared/tokens/resource-id';
import type { UpdateTemplateRequest } from './endpoint.ts';

export type UpdateTemplateCommand = {
  readonly credential: string | undefined;
  readonly id: TemplateId | undefined;
  readonly ifMatch: string | undefined;
};

/**
 * Changes the fields that are given.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `template_not_found`,
 *   `version_mismatch`, `concurrent_change`, `template_name_taken`
 */
export async function updateTemplate(
  { credential, id, ifMatch }: UpdateTemplateCommand,
  parse: () => UpdateTemplateRequest,
  { templates, ...authentication }: Templates,
): Promise<Template> {
  const caller = await admitCaller(credential, authentication);
  const { apiKey } = caller;
  requireScope(apiKey, 'templates_manage');
  const changes = parse();
  const change = async (before: Template) => {
    const version = before.version + 1;
    const merged = mergeTemplate(before, changes);
    const now = authentication.now();
    const after = { ...merged, version, updatedAt: now };
    const entry = templateEntryOf(caller, { before, after }, now);
    return { outcome: await templates.replace(before, after, entry), after };
  };
  const target = { id, organizationId: organizationIdOf(apiKey.id), ifMatch };
  return changeTemplate(target, change, templates);
}
