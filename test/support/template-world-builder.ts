import type { Template } from '#shared/templates/template';
import type { TemplateStore } from '#shared/templates/template-store';
import { newTemplateId } from '#shared/tokens/resource-id';
import { buildManager } from './manager-builder.ts';
import { buildTemplate } from './template-builder.ts';
import { fakeTemplateStore } from './template-store-builder.ts';

export const templatesNow = 1_750_000_000_000;

/** An organization with one template. What the store is not given throws, except reads. */
export function buildTemplateWorld(store: Partial<TemplateStore> = {}) {
  const { caller, limitsOfDeployment } = buildManager();
  const template: Template = buildTemplate({ id: newTemplateId(caller.organizationId) });
  const templates = {
    limitsOfDeployment,
    now: () => templatesNow,
    templates: fakeTemplateStore({
      get: async (id) => (id === template.id ? template : undefined),
      ...store,
    }),
  };
  return { caller, template, templates };
}
