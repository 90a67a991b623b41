import type { TemplateStore } from '#shared/templates/template-store';
import { unexpected } from './unexpected.ts';

/** A store of templates. What is not overridden throws. */
export const fakeTemplateStore = (overrides: Partial<TemplateStore> = {}): TemplateStore => ({
  count: async () => 0,
  get: unexpected('templates.get'),
  getVersion: unexpected('templates.getVersion'),
  create: unexpected('templates.create'),
  replace: unexpected('templates.replace'),
  delete: unexpected('templates.delete'),
  ...overrides,
});
