import * as z from 'zod';
import { variablesSchema } from '#shared/templates/variables';

/** Body of POST /api/v1/templates/{id}/render. */
export const requestSchema = z.object({ variables: variablesSchema.default({}) });

/** Response 200: what send takes as `subject`, `htmlContent` and `content`. */
export const responseSchema = z.object({
  subject: z.string(),
  html: z.string().optional(),
  content: z.string(),
  missingVariables: z.array(z.string()),
});
