import * as z from 'zod';
import { misnamedTemplateFields, templateFields, templateSchema } from '#shared/templates/template';

/** Body of PUT /api/v1/templates/{id}: the fields to change. */
export const requestSchema = z.object({
  ...misnamedTemplateFields,
  name: templateFields.name.exactOptional(),
  subject: templateFields.subject.exactOptional(),
  htmlContent: templateFields.htmlContent.exactOptional(),
  content: templateFields.content.exactOptional(),
});
export type UpdateTemplateRequest = z.infer<typeof requestSchema>;

/** Response 200: the whole template. */
export const responseSchema = templateSchema;
