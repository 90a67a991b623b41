import * as z from 'zod/mini';
import { preferencesSchema } from '#shared/preferences/preferences';

/** Query of GET /api/v1/preferences: who is meant, by a token or by the address. */
export const querySchema = z.strictObject({
  token: z.optional(z.string()),
  email: z.optional(z.string()),
});

/** Response 200. */
export const responseSchema = preferencesSchema;
