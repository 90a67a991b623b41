import * as z from 'zod/mini';
import { subscriptionSchema } from '#shared/preferences/preferences';
import { suppressionViewSchema } from '#shared/suppressions/suppression-view';
import { contactIdSchema } from '#shared/tokens/resource-id';

/** Path of GET /api/v1/contacts/{email}. */
export const pathSchema = z.object({ email: z.string() });

/** Response 200. */
export const responseSchema = z.object({
  id: contactIdSchema,
  email: z.string(),
  /** What the person chose. A category that is missing is subscribed. */
  subscriptions: z.array(subscriptionSchema),
  suppressions: z.array(suppressionViewSchema),
  createdAt: z.int(),
  updatedAt: z.int(),
});
