import * as z from 'zod/mini';
import { acrossFields } from '#shared/errors/across-fields';
import { preferencesSchema, subscriptionSchema } from '#shared/preferences/preferences';

const maxSubscriptions = 1_000;

/** Body of POST /api/v1/preferences. */
export const requestSchema = z
  .strictObject({
    token: z.optional(z.string()),
    email: z.optional(z.string()),
    subscriptions: z
      .array(z.strictObject(subscriptionSchema.shape))
      .check(z.minLength(1), z.maxLength(maxSubscriptions)),
  })
  .check(
    z.refine(({ token, email }) => token !== undefined || email !== undefined, {
      path: ['token'],
      error: 'give a token or an email to say whose preferences are meant',
      ...acrossFields,
    }),
  );
export type UpdatePreferencesRequest = z.infer<typeof requestSchema>;

/** Response 200: the preferences after the change. */
export const responseSchema = preferencesSchema;
