import type { Scope } from '#shared/access/scopes';
import type { Template } from '#shared/templates/template';
import type { TemplateStore } from '#shared/templates/template-store';
import type { Templates } from '#shared/templates/templates';
import { newOrganizationId, newTemplateId } from '#shared/tokens/resource-id';
import { buildApiKey, fakeApiKeys } from './api-key-builder.ts';
import { buildTemplate } from './template-builder.ts';
import { fakeTemplateStore } from './template-store-builder.ts';

export const templatesNow = 1_750_000_000_000;

/** An organization with one template, and a key of it. What the store is not given throws, but for reads. */
export function buildTemplateWorld(
  store: Partial<TemplateStore> = {},
  scopes: readonly Scope[] = ['templates_manage'],
) {
  const organizationId = newOrganizationId();
  const { text: credential, apiKey } = buildApiKey({ organizationId, scopes: [...scopes] });
  const template: Template = buildTemplate({ id: newTemplateId(organizationId) });
  const templates: Templates & { readonly limitsOfDeployment: Record<string, number> } = {
    limitsOfDeployment: {},
    now: () => templatesNow,
    apiKeys: fakeApiKeys([apiKey]),
    templates: fakeTemplateStore({
      get: async (id) => (id === template.id ? template : undefined),
      ...store,
    }),
  };
  return { organizationId, credential, template, templates };
}
