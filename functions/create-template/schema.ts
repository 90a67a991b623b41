import * as z from 'zod/mini';
import { acrossFields } from '#shared/errors/across-fields';
import { templateSchema } from '#shared/templates/template';
import { templateFields } from '#shared/templates/template-fields';

/** Body of POST /api/v1/templates. */
export const requestSchema = z
  .strictObject({
    name: templateFields.name,
    subject: templateFields.subject,
    htmlContent: z.exactOptional(templateFields.htmlContent),
    content: z.exactOptional(templateFields.content),
  })
  .check(
    z.refine(({ htmlContent, content }) => htmlContent !== undefined || content !== undefined, {
      path: ['htmlContent'],
      error: 'give htmlContent, content, or both',
      ...acrossFields,
    }),
  );
export type CreateTemplateRequest = z.infer<typeof requestSchema>;

/** Response 201. `ETag` has the version. */
export const responseSchema = templateSchema;
