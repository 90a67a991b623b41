import * as z from 'zod';
import { templateSchema } from '#shared/templates/template';

/** Query of GET /api/v1/templates. */
export const querySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.base64url().optional(),
});
export type ListTemplatesQuery = z.infer<typeof querySchema>;

/** Response 200; the bodies are read one template at a time. */
export const responseSchema = z.object({
  data: z.array(templateSchema.omit({ htmlContent: true, content: true })),
  nextCursor: z.string().nullable(),
});
