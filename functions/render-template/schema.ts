import * as z from 'zod/mini';
import { variablesSchema } from '#shared/templates/variables';
import { templateIdSchema } from '#shared/tokens/resource-id';

/** Path of POST /api/v1/templates/{id}/render. */
export const pathSchema = z.object({ id: templateIdSchema });

/** Body of POST /api/v1/templates/{id}/render. */
export const requestSchema = z.strictObject({ variables: z._default(variablesSchema, {}) });

/** Response 200: what send takes as `subject`, `htmlContent` and `content`. */
export const responseSchema = z.object({
  subject: z.string(),
  html: z.optional(z.string()),
  content: z.string(),
  missingVariables: z.array(z.string()),
});
