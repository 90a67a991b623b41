import * as z from 'zod/mini';
import { contactIdSchema } from '#shared/tokens/resource-id';

/** The event that Lambda makes of a table's stream (Lambda guide, "Using AWS Lambda with Amazon DynamoDB"). */
export const tableStreamEventSchema = z.object({ Records: z.array(z.unknown()) });
export type TableStreamEvent = z.output<typeof tableStreamEventSchema>;

/**
 * A contact that its organization's list does not have yet (DynamoDB Streams API reference, "StreamRecord").
 * Of an erased person there is no address, and of a contact in the list there are keys of the list's index.
 */
export const unlistedContactSchema = z.object({
  dynamodb: z.object({
    NewImage: z.object({
      id: z.object({ S: contactIdSchema }),
      email: z.object({ S: z.string().check(z.minLength(1)) }),
      gsi2pk: z.optional(z.undefined()),
    }),
  }),
});
