import * as z from 'zod/mini';

/** The invocation that SNS makes (Lambda developer guide, "Using AWS Lambda with Amazon SNS"). */
export const snsEventSchema = z.object({
  Records: z.array(
    z.object({
      Sns: z.object({
        TopicArn: z.string(),
        MessageId: z.string(),
        Message: z.string(),
      }),
    }),
  ),
});
