import * as z from 'zod';
import { preferencesSchema, subscriptionSchema } from '#shared/contacts/preferences';

const maxSubscriptions = 100;

/** Body of POST /api/v1/preferences. */
export const requestSchema = z.object({
  token: z.string().optional(),
  email: z.string().optional(),
  subscriptions: z.array(subscriptionSchema).min(1).max(maxSubscriptions),
});

/** The new state, as GET answers it. */
export const responseSchema = preferencesSchema;
