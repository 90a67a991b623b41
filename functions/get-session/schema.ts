import * as z from 'zod/mini';
import { apiKeyIdSchema, organizationIdSchema } from '#shared/tokens/resource-id';

/** Response 200. */
export const responseSchema = z.object({
  organization: z.object({ id: organizationIdSchema, name: z.string() }),
  /** The key that the session was begun with. */
  keyId: apiKeyIdSchema,
  expiresAt: z.int(),
  /** Until when it may create, rotate and widen keys; in the past if its key was not shown lately. */
  confirmedUntil: z.int(),
});
