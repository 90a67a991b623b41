import * as z from 'zod/mini';
import { contactIdSchema } from '#shared/tokens/resource-id';

/** Lambda's event for a table's stream (Lambda guide, "Using AWS Lambda with Amazon DynamoDB"). */
export const tableStreamEventSchema = z.object({ Records: z.array(z.unknown()) });
export type TableStreamEvent = z.output<typeof tableStreamEventSchema>;

/**
 * A contact that isn't in its organization's list yet (DynamoDB Streams API reference, "StreamRecord").
 * An erased person has no address, and a listed contact has the keys of the list's index.
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
