import * as z from 'zod/mini';
import type { Variables } from '#shared/templates/render-parts';
import { variablesSchema } from '#shared/templates/variables';
import { type TemplateId, templateIdSchema } from '#shared/tokens/resource-id';

/** The template for subject and bodies, and its variables. */
export type TemplateUse = { readonly id: TemplateId; readonly variables: Variables };

/** A body with a `templateId` asks for a template, whatever else it has. */
export const asksForTemplate = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, 'templateId');

const fromTemplate = z.exactOptional(
  z.never({ error: 'comes from the template: leave it out, or leave out templateId' }),
);

export const templateUseFields = {
  templateId: templateIdSchema,
  variables: z._default(variablesSchema, {}),
  subject: fromTemplate,
  content: fromTemplate,
  htmlContent: fromTemplate,
};

/** The fields of a body without a template. If variables were ignored, their placeholders would be sent. */
export const noTemplateFields = {
  variables: z.exactOptional(z.never({ error: 'need a templateId' })),
};
