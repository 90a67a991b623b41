import type { SentTemplateReading } from '#shared/templates/sent-template-store';
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
  publishedAt: 1_700_000_000_000,
  ...overrides,
});

/** What a send reads of a published template. */
export function sentReadingOf(template: Template | undefined): SentTemplateReading {
  if (template === undefined) return { kind: 'unknown' };
  const { id, version, from, replyTo, ...parts } = template;
  return {
    kind: 'found',
    template: { ...{ id, version, from, replyTo, parts }, locale: undefined },
  };
}
