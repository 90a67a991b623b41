import * as z from 'zod/mini';
import { oneEmailAddress } from '#shared/sending/send-fields';
import { suppressionViewSchema } from '#shared/suppressions/suppression-view';

/** Body of POST /api/v1/suppressions. */
export const requestSchema = z.strictObject({
  email: oneEmailAddress,
  /** Why, in the words of who asks for it. */
  diagnostic: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(1_000))),
});
export type CreateSuppressionRequest = z.output<typeof requestSchema>;

/** Response 201: the suppression, also when it was there before. */
export const responseSchema = suppressionViewSchema;
