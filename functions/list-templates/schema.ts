import * as z from 'zod/mini';
import { cursorSchema } from '#shared/templates/template-list-position';
import { templateSummarySchema } from '#shared/templates/template-list-store';

/** Query of GET /api/v1/templates. */
export const querySchema = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
  cursor: z.optional(cursorSchema),
});
export type ListTemplatesQuery = z.infer<typeof querySchema>;

/** Response 200; the bodies are read one template at a time. */
export const responseSchema = z.object({
  data: z.array(templateSummarySchema),
  nextCursor: z.nullable(z.string()),
});
