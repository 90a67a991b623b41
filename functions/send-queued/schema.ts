import * as z from 'zod/mini';

/** The event of an invocation by SQS (Lambda developer guide, "SQS"). Each body should name a send. */
export const sqsEventSchema = z.object({
  Records: z.array(z.object({ messageId: z.string(), body: z.string() })),
});

/** The messages that go back to the queue (Lambda developer guide, "Partial batch responses"). */
export type BatchResponse = {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
};
