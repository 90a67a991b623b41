import * as z from 'zod/mini';
import { templateSchema } from '#shared/templates/template';
import { misnamedTemplateFields, templateFields } from '#shared/templates/template-fields';
import { templateIdSchema } from '#shared/tokens/resource-id';

/** Path of PUT /api/v1/templates/{id}. */
export const pathSchema = z.object({ id: templateIdSchema });

/** `If-Match`: the versions that the caller has seen, as `ETag` gave them. */
export const headersSchema = z.object({ 'if-match': z.optional(z.string()) });

/** Body of PUT /api/v1/templates/{id}: the fields to change. `null` removes a body. */
export const requestSchema = z.object({
  ...misnamedTemplateFields,
  name: z.exactOptional(templateFields.name),
  subject: z.exactOptional(templateFields.subject),
  htmlContent: z.exactOptional(z.nullable(templateFields.htmlContent)),
  content: z.exactOptional(z.nullable(templateFields.content)),
});
export type UpdateTemplateRequest = z.infer<typeof requestSchema>;

/** Response 200. `ETag` has the version. */
export const responseSchema = templateSchema;
