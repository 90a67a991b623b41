import type * as z from 'zod/mini';
import { openAuthentication } from '#shared/access/authenticate';
import type { tableEnvironment } from '#shared/config/environment';
import { ServiceError } from '#shared/errors/service-error';
import { openTable } from '#shared/table/table-client';
import { type OrganizationId, ownId, type TemplateId } from '#shared/tokens/resource-id';
import type { Template } from './template.ts';
import { openTemplateStore, type TemplateStore } from './template-store.ts';

export function openTemplates(environment: z.output<typeof tableEnvironment>) {
  const table = openTable(environment.TABLE_NAME);
  return {
    ...openAuthentication(table),
    templates: openTemplateStore(table),
  };
}
export type Templates = Omit<ReturnType<typeof openTemplates>, 'apiKeys'>;

/** Another organization's template gets the same answer as one that never existed. */
export async function findTemplate(
  id: TemplateId,
  organizationId: OrganizationId,
  templates: TemplateStore,
): Promise<Template> {
  const templateId = ownId(id, organizationId);
  const template = templateId && (await templates.get(templateId));
  if (template === undefined) throw new ServiceError('template_not_found');
  return template;
}
