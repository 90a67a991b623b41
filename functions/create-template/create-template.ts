import type { RequestTo } from '#shared/endpoints/endpoint';
import {
  type GivenLimits,
  limitsInForce,
  requireRoom,
} from '#shared/organizations/organization-limits';
import { nameTaken } from '#shared/templates/change-template';
import type { Template } from '#shared/templates/template';
import { templateEntryOf } from '#shared/templates/template-audit';
import type { Templates } from '#shared/templates/templates';
import { newTemplateId } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

export type TemplateCreation = Templates & { readonly limitsOfDeployment: GivenLimits };

/** Creates a template, in version 1. */
export async function createTemplate(
  { caller, body }: RequestTo<typeof endpoint>,
  { templates, limitsOfDeployment, now: readClock }: TemplateCreation,
): Promise<Template> {
  const { organizationId, ownLimits } = caller;
  const now = readClock();
  const id = newTemplateId(organizationId);
  const template = { ...body, id, version: 1, createdAt: now, updatedAt: now };
  const limits = limitsInForce(ownLimits, limitsOfDeployment);
  const most = limits('templates') ?? Infinity;
  requireRoom('templates', await templates.count(organizationId, most), limits);
  const entry = templateEntryOf(caller, { after: template }, now);
  const outcome = await templates.create(template, entry);
  if (outcome !== 'stored') throw nameTaken();
  return template;
}
