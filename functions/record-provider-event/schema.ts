import * as z from 'zod/mini';

const notificationSchema = z.object({
  TopicArn: z.string(),
  MessageId: z.string(),
  Message: z.string(),
});
export type Notification = z.infer<typeof notificationSchema>;

/** SNS's invocation (Lambda developer guide, "Using AWS Lambda with Amazon SNS"). */
const topicInvocationSchema = z.pipe(
  z.object({ Records: z.array(z.object({ Sns: notificationSchema })) }),
  z.transform(({ Records }) => Records.map(({ Sns }) => Sns)),
);

/** The invocation for the retry queue by Lambda's poller (the same guide, "SQS"). */
const queueInvocationSchema = z.object({
  Records: z.array(
    z.object({
      messageId: z.string(),
      receiptHandle: z.string(),
      body: z.string(),
      attributes: z.object({ ApproximateReceiveCount: z.coerce.number() }),
    }),
  ),
});
export type QueuedMessage = z.infer<typeof queueInvocationSchema>['Records'][number];

export const invocationSchema = z.union([
  z.pipe(
    queueInvocationSchema,
    z.transform(({ Records: messages }) => ({ from: 'queue' as const, messages })),
  ),
  z.pipe(
    topicInvocationSchema,
    z.transform((notifications) => ({ from: 'topic' as const, notifications })),
  ),
]);

/**
 * The retry queue's messages:
 *
 * - Lambda's record of an invocation that failed (the same guide, "Capturing records of asynchronous invocations").
 * - The event of an invocation, as a person may put it there.
 * - A notification that SNS could not hand to Lambda (SNS developer guide, "Dead-letter queues").
 */
export const queuedBodySchema = z.union([
  z.pipe(
    z.object({ requestPayload: topicInvocationSchema }),
    z.transform(({ requestPayload }) => requestPayload),
  ),
  topicInvocationSchema,
  z.pipe(
    notificationSchema,
    z.transform((notification) => [notification]),
  ),
]);
