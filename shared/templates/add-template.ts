import type { Caller } from '#shared/access/admit-caller';
import { ServiceError } from '#shared/errors/service-error';
import {
  type GivenLimits,
  limitsInForce,
  requireBelowLimit,
} from '#shared/organizations/limits-in-force';
import type { TableAndClock } from '#shared/table/table-client';
import { newTemplateId, type OrganizationId, ownId } from '#shared/tokens/resource-id';
import { refusalOf } from './change-template.ts';
import { checkTemplate } from './check-template.ts';
import type { Template, TemplateContent } from './template.ts';
import { templateEntryOf } from './template-audit.ts';
import { countTemplates, createTemplate } from './template-store.ts';

export type TemplateAddition = TableAndClock & { readonly limitsOfDeployment: GivenLimits };

type NewTemplateFields = TemplateContent &
  Pick<Template, 'name' | 'alias' | 'kind'> & { readonly draft: boolean };

/** Requires room for one more. */
export async function addTemplate(
  caller: Caller,
  { draft, ...fields }: NewTemplateFields,
  { table, now: readClock, limitsOfDeployment }: TemplateAddition,
  { mayLackSubject = false } = {},
): Promise<Template> {
  const { organizationId, ownLimits } = caller;
  const now = readClock();
  const template: Template = {
    ...fields,
    id: newTemplateId(organizationId),
    version: 1,
    createdAt: now,
    updatedAt: now,
    ...(draft ? { isDraft: true } : { publishedAt: now }),
  };
  checkTemplate(template, { mayLackSubject });
  requireOwnLayout(template, organizationId);

  const limits = limitsInForce(ownLimits, limitsOfDeployment);
  const most = limits('templates') ?? Infinity;
  requireBelowLimit('templates', await countTemplates(table, organizationId, most), limits);

  const entry = templateEntryOf(caller, { after: template }, now);
  const outcome = await createTemplate(table, template, entry);
  if (outcome === 'stored') return template;
  if (outcome === 'changed_meanwhile') throw new ServiceError('concurrent_change');
  throw refusalOf(outcome);
}

/** The store checks whether the layout exists. */
export function requireOwnLayout({ layout }: Template, organizationId: OrganizationId): void {
  const isOwn = layout === undefined || ownId(layout, organizationId) !== undefined;
  if (!isOwn) throw refusalOf('unknown_layout');
}
