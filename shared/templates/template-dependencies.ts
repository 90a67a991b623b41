import type * as z from 'zod/mini';
import type { tableEnvironment } from '#shared/config/environment';
import { openApiKeyStore } from '#shared/organizations/api-key-store';
import type { Authentication } from '#shared/organizations/authenticate-caller';
import { openTable } from '#shared/table/table-client';
import type { OrganizationId, TemplateId } from '#shared/tokens/resource-id';
import type { Template } from './template.ts';
import type { TemplatePosition } from './template-list-position.ts';
import { listTemplates } from './template-list-store.ts';
import { deleteTemplate, getTemplate, putNewTemplate, replaceTemplate } from './template-store.ts';

/** Wires the template operations to the table. */
export function createTemplateDependencies(environment: z.output<typeof tableEnvironment>) {
  const table = openTable(environment.TABLE_NAME);
  const authentication: Authentication = {
    now: Date.now,
    apiKeys: openApiKeyStore(table),
  };
  return {
    ...authentication,
    getTemplate: (id: TemplateId) => getTemplate(table, id),
    listTemplates: (id: OrganizationId, limit: number, before: TemplatePosition | undefined) =>
      listTemplates(table, id, limit, before),
    putNewTemplate: (template: Template) => putNewTemplate(table, template),
    replaceTemplate: (before: Template, after: Template) => replaceTemplate(table, before, after),
    deleteTemplate: (template: Template) => deleteTemplate(table, template),
  };
}

export type TemplateDependencies = ReturnType<typeof createTemplateDependencies>;
