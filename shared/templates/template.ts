import * as z from 'zod/mini';
import { templateIdSchema } from '#shared/tokens/resource-id';

// How large a template may be: `template-fields.ts`. How large an email may become by it: `bounded-writer.ts`.

export const templateSchema = z.object({
  id: templateIdSchema,
  name: z.string(),
  subject: z.string(),
  htmlContent: z.optional(z.string()),
  /** The text body. */
  content: z.optional(z.string()),
  /** Counts up with every change. Only the newest is stored. */
  version: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Template = z.infer<typeof templateSchema>;
