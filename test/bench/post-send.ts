import * as z from 'zod';
import { sendIdSchema } from '#shared/tokens/resource-id';
import { sampleEmail } from './sample-email.ts';

const answerSchema = z.object({ sendId: sendIdSchema, messageId: z.string() });

type Options = { readonly email?: object; readonly idempotencyKey?: string };

/** Makes one send. @throws Error when SES does not get the email. */
export const postSend = async (
  baseUrl: string,
  apiKey: string,
  options: Options,
): Promise<z.output<typeof answerSchema>> =>
  answerSchema.parse(await postEmail(baseUrl, apiKey, options));

/** Posts one email, which may be suppressed. @throws Error when the answer is no success. */
export async function postEmail(
  baseUrl: string,
  apiKey: string,
  { email = sampleEmail, idempotencyKey }: Options,
): Promise<unknown> {
  const response = await fetch(`${baseUrl}/api/v1/emails/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(email),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`A send was answered ${response.status}: ${answer}`);
  return JSON.parse(answer);
}
