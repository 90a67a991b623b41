import * as z from 'zod/mini';
import type { Variables } from '#shared/templates/render-parts';
import { variablesSchema } from '#shared/templates/variables';
import { type TemplateId, templateIdSchema } from '#shared/tokens/resource-id';

/** What an email says, by a template instead of its own words. */
export type TemplateUse = { readonly id: TemplateId; readonly variables: Variables };

/** A body with a `templateId` asks for a template, whatever else it holds. */
export const asksForTemplate = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, 'templateId');

const fromTemplate = z.exactOptional(
  z.never({ error: 'comes from the template: leave it out, or leave out templateId' }),
);

/** In a body that asks for a template. */
export const templateUseFields = {
  templateId: templateIdSchema,
  variables: z._default(variablesSchema, {}),
  subject: fromTemplate,
  content: fromTemplate,
  htmlContent: fromTemplate,
};

/** In a body that does not: to ignore variables would send their placeholders as they are. */
export const noTemplateFields = {
  variables: z.exactOptional(z.never({ error: 'need a templateId' })),
};
