import type { ApiKey } from '#shared/access/api-key';
import { admitCaller } from '#shared/access/authenticate';
import { requireScope } from '#shared/access/scopes';
import {
  type GivenLimits,
  limitsInForce,
  requireRoom,
} from '#shared/organizations/organization-limits';
import { nameTaken } from '#shared/templates/change-template';
import type { Template } from '#shared/templates/template';
import { templateEntryOf } from '#shared/templates/template-audit';
import type { Templates } from '#shared/templates/templates';
import { newTemplateId, organizationIdOf } from '#shared/tokens/resource-id';
import type { CreateTemplateRequest } from './endpoint.ts';

export type TemplateCreation = Templates & { readonly limitsOfDeployment: GivenLimits };

/**
 * Creates a template.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `template_name_taken`,
 *   `too_many_templates`
 */
export async function createTemplate(
  credential: string | undefined,
  parse: () => CreateTemplateRequest,
  { templates, limitsOfDeployment, ...authentication }: TemplateCreation,
): Promise<Template> {
  const caller = await admitCaller(credential, authentication);
  const { apiKey } = caller;
  requireScope(apiKey, 'templates_manage');
  const now = authentication.now();
  const template = toTemplate(parse(), apiKey, now);
  const limits = limitsInForce(caller.ownLimits, limitsOfDeployment);
  const most = limits('templates') ?? Infinity;
  requireRoom('templates', await templates.count(organizationIdOf(apiKey.id), most), limits);
  const entry = templateEntryOf(caller, { after: template }, now);
  const outcome = await templates.create(template, entry);
  if (outcome !== 'stored') throw nameTaken();
  return template;
}

const toTemplate = (request: CreateTemplateRequest, apiKey: ApiKey, now: number): Template => ({
  ...request,
  id: newTemplateId(organizationIdOf(apiKey.id)),
  version: 1,
  createdAt: now,
  updatedAt: now,
});
