import * as z from 'zod/mini';
import { misnamedTemplateFields, templateFields } from '#shared/templates/template-fields';

/** Body of PUT /api/v1/templates/{id}: the fields to change; `null` takes a body away. */
export const requestSchema = z.object({
  ...misnamedTemplateFields,
  name: z.exactOptional(templateFields.name),
  subject: z.exactOptional(templateFields.subject),
  htmlContent: z.exactOptional(z.nullable(templateFields.htmlContent)),
  content: z.exactOptional(z.nullable(templateFields.content)),
});
export type UpdateTemplateRequest = z.infer<typeof requestSchema>;
