import * as z from 'zod/mini';
import type { Variables } from '#shared/templates/render-parts';
import { variablesSchema } from '#shared/templates/variables';
import { type TemplateId, templateIdSchema } from '#shared/tokens/resource-id';

/** The template that subject and bodies come from, and its variables. */
export type TemplateUse = { readonly id: TemplateId; readonly variables: Variables };

/** Whether a body asks for a template: it has a `templateId`, whatever else it has. */
export const asksForTemplate = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, 'templateId');

const fromTemplate = z.exactOptional(
  z.never({ error: 'comes from the template: leave it out, or leave out templateId' }),
);

/** The fields of a body that asks for a template. */
export const templateUseFields = {
  templateId: templateIdSchema,
  variables: z._default(variablesSchema, {}),
  subject: fromTemplate,
  content: fromTemplate,
  htmlContent: fromTemplate,
};

/** The fields of a body that does not. If variables were ignored, their placeholders would be sent. */
export const noTemplateFields = {
  variables: z.exactOptional(z.never({ error: 'need a templateId' })),
};
