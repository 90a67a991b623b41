import * as z from 'zod';
import { deliveryIdSchema } from '#shared/tokens/resource-id';

/** The invocation that SQS makes; each body is a delivery id (Lambda developer guide, "SQS"). */
export const sqsEventSchema = z.object({
  Records: z.array(z.object({ messageId: z.string(), body: deliveryIdSchema })),
});

/** Messages to be given again (Lambda developer guide, "Partial batch responses"). */
export type BatchResponse = {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
};
