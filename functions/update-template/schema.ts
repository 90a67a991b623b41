import * as z from 'zod/mini';
import { templateSchema } from '#shared/templates/template';
import { templateFields } from '#shared/templates/template-fields';
import { templateIdSchema } from '#shared/tokens/resource-id';

/** Path of PUT /api/v1/templates/{id}. */
export const pathSchema = z.object({ id: templateIdSchema });

/** `If-Match`: the versions that the caller has seen, as `ETag` gave them. */
export const headersSchema = z.object({ 'if-match': z.optional(z.string()) });

/** What GET answers beside the fields: a template may come back as it was read. */
const readOnly = z.optional(z.unknown());

/** Body of PUT /api/v1/templates/{id}: the fields to change. `null` removes a body. */
export const requestSchema = z.pipe(
  z.strictObject({
    name: z.exactOptional(templateFields.name),
    subject: z.exactOptional(templateFields.subject),
    htmlContent: z.exactOptional(z.nullable(templateFields.htmlContent)),
    content: z.exactOptional(z.nullable(templateFields.content)),
    ...{ id: readOnly, version: readOnly, createdAt: readOnly, updatedAt: readOnly },
  }),
  z.transform(({ id, version, createdAt, updatedAt, ...changes }) => changes),
);
export type UpdateTemplateRequest = z.infer<typeof requestSchema>;

/** Response 200. `ETag` has the version. */
export const responseSchema = templateSchema;
