import * as z from 'zod/mini';
import { templateIdSchema } from '#shared/tokens/resource-id';

// How large a template may be: `template-fields.ts`. How large the email: `bounded-writer.ts`.

export const templateSchema = z.object({
  id: templateIdSchema,
  name: z.string(),
  subject: z.string(),
  htmlContent: z.optional(z.string()),
  content: z.optional(z.string()),
  /** Incremented by every change. Only the newest is stored. */
  version: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Template = z.infer<typeof templateSchema>;
