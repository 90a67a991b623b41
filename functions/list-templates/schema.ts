import * as z from 'zod';
import { cursorSchema } from '#shared/templates/template-list-position';
import { templateSummarySchema } from '#shared/templates/template-list-store';

/** Query of GET /api/v1/templates. */
export const querySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: cursorSchema.optional(),
});
export type ListTemplatesQuery = z.infer<typeof querySchema>;

/** Response 200; the bodies are read one template at a time. */
export const responseSchema = z.object({
  data: z.array(templateSummarySchema),
  nextCursor: z.string().nullable(),
});
