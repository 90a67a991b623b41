import * as z from 'zod/mini';

/** The invocation that SQS makes (Lambda developer guide, "SQS"); each body should name a delivery. */
export const sqsEventSchema = z.object({
  Records: z.array(z.object({ messageId: z.string(), body: z.string() })),
});

/** Messages to be given again (Lambda developer guide, "Partial batch responses"). */
export type BatchResponse = {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
};
