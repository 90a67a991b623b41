import type { Template } from '#shared/templates/template';
import { newOrganizationId, newTemplateId } from '#shared/tokens/resource-id';

/** A template with both bodies, as it was created. */
export const buildTemplate = (overrides: Partial<Template> = {}): Template => ({
  id: newTemplateId(newOrganizationId()),
  name: 'Receipt',
  subject: 'Your receipt, {{name}}',
  htmlContent: '<p>Thank you, {{name}}.</p>',
  content: 'Thank you, {{name}}.',
  version: 1,
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_000_000,
  ...overrides,
});
