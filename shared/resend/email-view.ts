import * as z from 'zod/mini';
import { type Outcome, outcomeOf } from '#shared/send-history/outcome';
import { fromOf, type Send, toOf } from '#shared/sending/send';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { resendTime, resendTimeSchema } from './management.ts';

/** Resend calls soft bounces bounced, too. */
const lastEvents = {
  scheduled: 'scheduled',
  queued: 'queued',
  sending: 'queued',
  canceled: 'canceled',
  suppressed: 'suppressed',
  failed: 'failed',
  sent: 'sent',
  delayed: 'delivery_delayed',
  delivered: 'delivered',
  soft_bounced: 'bounced',
  opened: 'opened',
  clicked: 'clicked',
  bounced: 'bounced',
  complained: 'complained',
} as const satisfies Record<Outcome, string>;

export const listedEmailSchema = z.object({
  id: z.string(),
  message_id: z.nullable(z.string()),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  reply_to: z.array(z.string()),
  subject: z.string(),
  created_at: resendTimeSchema,
  scheduled_at: z.nullable(resendTimeSchema),
  last_event: z.enum(Object.values(lastEvents)),
});
type ListedEmail = z.output<typeof listedEmailSchema>;

export const emailSchema = z.object({
  object: z.literal('email'),
  ...listedEmailSchema.shape,
  html: z.nullable(z.string()),
  text: z.nullable(z.string()),
  tags: z.array(z.object({ name: z.string(), value: z.string() })),
});

export const toListedEmail = (send: Send, now: number): ListedEmail => ({
  id: send.id,
  message_id: send.providerMessageId ?? null,
  from: fromOf(send),
  to: [...toOf(send)],
  cc: send.cc,
  bcc: send.bcc,
  reply_to: send.replyTo ?? [],
  subject: send.subject,
  created_at: resendTime(send.createdAt),
  scheduled_at: send.sendAt === undefined ? null : resendTime(send.sendAt),
  last_event: lastEvents[outcomeOf(send, now).outcome],
});

type Bodies = { readonly text: string; readonly html: string | undefined };

/** @param bodies `undefined` if they aren't kept, or the caller may not read them. */
export const toEmail = (
  send: Send,
  now: number,
  bodies?: Bodies,
): z.output<typeof emailSchema> => ({
  object: 'email',
  ...toListedEmail(send, now),
  html: bodies?.html ?? null,
  text: bodies?.text ?? null,
  tags: Object.entries(send.tags ?? {}).map(([name, value]) => ({ name, value })),
});

export const changedEmailSchema = z.object({ object: z.literal('email'), id: z.string() });

export const exampleListedEmail: ListedEmail = {
  id: exampleIds.send,
  message_id: '0100018c2f6b6e5c-1f8b6a0e-000000',
  from: 'Northwind <hello@northwind.example>',
  to: ['ann@example.com'],
  cc: [],
  bcc: [],
  reply_to: [],
  subject: 'Welcome',
  created_at: resendTime(exampleTime),
  scheduled_at: null,
  last_event: 'delivered',
};

export const emailViewWords = {
  object: 'The type of the object.',
  has_more: 'Whether there are more entries in that direction.',
  after: 'The ID of an email: the page begins with the next older one.',
  before: 'The ID of an email: the page ends with the next newer one.',
  message_id: 'SES’s ID of the message. `null` until SES has taken it.',
  from: 'The sender.',
  to: 'The recipients in `to`.',
  reply_to: 'Where replies go.',
  created_at: 'When it was made, in ISO 8601.',
  scheduled_at: 'When it goes out, or was due to, in ISO 8601. `null` if it wasn’t scheduled.',
  last_event:
    'What became of it. `suppressed`: every `to` is suppressed. `queued`: it’s on its way to SES.',
  html: 'The HTML body. `null` if there is none, the organization doesn’t keep contents (`keepContentDays`), or the key lacks the scope `read_content`.',
  text: 'The text body. `null` unless it is kept and the key may read it.',
  tags: 'Names and values.',
  'tags.value': 'The value.',
} as const;
