import * as z from 'zod/mini';
import { webhookMessages } from '../../infra/openapi/webhook-messages.ts';

/** A webhook message as the description knows it: without any field that it does not tell of. */
export function asDescribed(message: unknown): unknown {
  const { type } = z.object({ type: z.string() }).parse(message);
  const described = webhookMessages.find((one) => one.type === type);
  if (described === undefined) throw new Error(`The description has no message ${type}`);
  return described.schema.parse(message);
}
