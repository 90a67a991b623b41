import * as z from 'zod/mini';
import type { SendResponse, SuppressedRecipient } from '#shared/sending/send';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { sendIdSchema } from '#shared/tokens/resource-id';
import type { Addressed } from './email-request.ts';

export const sentSchema = z.object({
  To: z.optional(z.string()),
  Cc: z.optional(z.string()),
  Bcc: z.optional(z.string()),
  SubmittedAt: z.iso.datetime(),
  MessageID: sendIdSchema,
  ErrorCode: z.literal(0),
  Message: z.string(),
});

export const refusedSchema = z.object({ ErrorCode: z.int(), Message: z.string() });

type EmailResult = z.output<typeof sentSchema> | z.output<typeof refusedSchema>;

export const inactiveRecipient = 406;

/** Clients read the addresses from the message. */
export function resultOf(
  { To, Cc, Bcc }: Addressed,
  { sendId, status, suppressedRecipients = [] }: SendResponse,
  now: number,
): EmailResult {
  const inactive = listed(suppressedRecipients);
  if (status === 'suppressed') return nobodyGetsIt(inactive);
  return {
    ...(To && { To }),
    ...(Cc && { Cc }),
    ...(Bcc && { Bcc }),
    SubmittedAt: new Date(now).toISOString(),
    MessageID: sendId,
    ErrorCode: 0,
    Message:
      inactive === ''
        ? 'OK'
        : `The email goes out, but not to these inactive addresses: ${inactive}. ${whoIsInactive}`,
  };
}

const nobodyGetsIt = (inactive: string): z.output<typeof refusedSchema> => ({
  ErrorCode: inactiveRecipient,
  Message: `Nobody gets this email. Found inactive addresses: ${inactive}. ${whoIsInactive}`,
});

const listed = (recipients: readonly SuppressedRecipient[]): string =>
  recipients.map(({ email }) => email).join(', ');

const whoIsInactive = 'Inactive recipients are suppressed here: GET /api/v1/suppressions says why.';

export const exampleSent = {
  To: 'ann@example.com',
  SubmittedAt: new Date(exampleTime).toISOString(),
  MessageID: exampleIds.send,
  ErrorCode: 0 as const,
  Message: 'OK',
};

export const exampleInactive = nobodyGetsIt('ann@example.com');
