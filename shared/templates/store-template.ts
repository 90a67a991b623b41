import type { Caller } from '#shared/access/admit-caller';
import { ServiceError } from '#shared/errors/service-error';
import {
  type GivenLimits,
  limitsInForce,
  requireRoom,
} from '#shared/organizations/organization-limits';
import { newTemplateId, type OrganizationId, ownId } from '#shared/tokens/resource-id';
import { refusalOf } from './change-template.ts';
import { checkTemplate } from './check-template.ts';
import type { Template, TemplateContent } from './template.ts';
import { templateEntryOf } from './template-audit.ts';
import type { Templates } from './templates.ts';

export type TemplateCreation = Templates & { readonly limitsOfDeployment: GivenLimits };

type NewTemplateFields = TemplateContent & Pick<Template, 'name' | 'alias' | 'kind'>;

export const newTemplate = (
  organizationId: OrganizationId,
  fields: NewTemplateFields,
  { isDraft, now }: { readonly isDraft: boolean; readonly now: number },
): Template => ({
  ...fields,
  id: newTemplateId(organizationId),
  version: 1,
  createdAt: now,
  updatedAt: now,
  ...(isDraft ? { isDraft } : { publishedAt: now }),
});

/** Requires room for one more. */
export async function storeTemplate(
  template: Template,
  caller: Caller,
  { templates, limitsOfDeployment }: TemplateCreation,
  { mayLackSubject = false } = {},
): Promise<Template> {
  const { organizationId, ownLimits } = caller;
  checkTemplate(template, { mayLackSubject });
  requireOwnLayout(template, organizationId);
  const limits = limitsInForce(ownLimits, limitsOfDeployment);
  const most = limits('templates') ?? Infinity;
  requireRoom('templates', await templates.count(organizationId, most), limits);
  const entry = templateEntryOf(caller, { after: template }, template.createdAt);
  const outcome = await templates.create(template, entry);
  if (outcome === 'stored') return template;
  if (outcome === 'changed_meanwhile') throw new ServiceError('concurrent_change');
  throw refusalOf(outcome);
}

/** The store checks whether the layout exists. */
export function requireOwnLayout({ layout }: Template, organizationId: OrganizationId): void {
  const isOwn = layout === undefined || ownId(layout, organizationId) !== undefined;
  if (!isOwn) throw refusalOf('unknown_layout');
}
