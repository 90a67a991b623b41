import * as z from 'zod/mini';
import type { Evidence } from '#shared/send-history/explain-send';
import { outcomeOf } from '#shared/send-history/outcome';
import { firstMailedOf, type Send } from '#shared/sending/send';
import { digest, numberOfBase32 } from '#shared/tokens/base32';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { type SendId, sendIdSchema } from '#shared/tokens/resource-id';
import { streamOf, tagOf } from './email-request.ts';

/** Postmark's reference, "Bounce types". */
const bounceKinds = {
  bounced: { type: 'HardBounce', code: 1, name: 'Hard bounce' },
  soft_bounced: { type: 'SoftBounce', code: 4096, name: 'Soft bounce' },
  complained: { type: 'SpamComplaint', code: 100_001, name: 'Spam complaint' },
} as const;
type BouncedOutcome = keyof typeof bounceKinds;
const bouncedOutcomes: readonly BouncedOutcome[] = ['bounced', 'soft_bounced', 'complained'];

export const bounceTypes = Object.values(bounceKinds).map(({ type }) => type);
export const outcomesOfType = (type: string | undefined): readonly BouncedOutcome[] =>
  bouncedOutcomes.filter((one) => type === undefined || bounceKinds[one].type === type);

const bounceKindOf = (send: Send, now: number) => {
  const { outcome, outcomeAt } = outcomeOf(send, now);
  const known = bouncedOutcomes.find((one) => one === outcome);
  return known && { ...bounceKinds[known], at: outcomeAt, isHard: known !== 'soft_bounced' };
};

export const bounceNumberOf = (id: SendId): number => numberOfBase32(digest(id, 8));

export const bounceSchema = z.object({
  RecordType: z.literal('Bounce'),
  ID: z.int(),
  Type: z.enum(bounceTypes),
  TypeCode: z.int(),
  Name: z.string(),
  Tag: z.nullable(z.string()),
  MessageID: sendIdSchema,
  ServerID: z.literal(0),
  MessageStream: z.string(),
  Description: z.string(),
  Details: z.nullable(z.string()),
  Email: z.string(),
  From: z.string(),
  BouncedAt: z.iso.datetime(),
  DumpAvailable: z.literal(false),
  Inactive: z.boolean(),
  CanActivate: z.literal(false),
  Subject: z.string(),
});
export type Bounce = z.output<typeof bounceSchema>;

/** @returns `undefined` if the email didn't bounce. */
export function toBounce(
  send: Send,
  { reason, email, diagnostic }: Evidence,
  now: number,
): readonly Bounce[] {
  const kind = bounceKindOf(send, now);
  if (kind === undefined) return [];
  return [
    {
      RecordType: 'Bounce',
      ID: bounceNumberOf(send.id),
      Type: kind.type,
      TypeCode: kind.code,
      Name: kind.name,
      Tag: tagOf(send),
      MessageID: send.id,
      ServerID: 0,
      MessageStream: streamOf(send),
      Description: reason ?? kind.name,
      Details: diagnostic ?? null,
      Email: email ?? firstMailedOf(send),
      From: send.fromEmail,
      BouncedAt: new Date(kind.at).toISOString(),
      DumpAvailable: false,
      Inactive: kind.isHard,
      CanActivate: false,
      Subject: send.subject,
    },
  ];
}

export const exampleBounce: Bounce = {
  RecordType: 'Bounce',
  ID: 692_560_173,
  Type: 'HardBounce',
  TypeCode: 1,
  Name: 'Hard bounce',
  Tag: 'welcome',
  MessageID: sendIdSchema.parse(exampleIds.send),
  ServerID: 0,
  MessageStream: 'outbound',
  Description: 'Permanent/General',
  Details: 'smtp; 550 5.1.1 user unknown',
  Email: 'ann@example.com',
  From: 'hello@northwind.example',
  BouncedAt: new Date(exampleTime).toISOString(),
  DumpAvailable: false,
  Inactive: true,
  CanActivate: false,
  Subject: 'Welcome',
};

export const bounceWords = {
  TotalCount: 'How many were found up to and including this page, plus one if there are more.',
  Bounces: 'The bounces, newest first.',
  RecordType: '`Bounce`.',
  ID: 'A stable number. You can’t look up anything by it.',
  Type: '`HardBounce`, `SoftBounce` or `SpamComplaint`.',
  TypeCode: 'Postmark’s number of the type.',
  Name: 'The type in words.',
  Tag: 'The tag of the email, or `null`.',
  MessageID: 'The ID of the send.',
  ServerID: '0.',
  MessageStream: 'The key of the policy; `outbound` is `transactional`, `broadcast` is `bulk`.',
  Description: 'Why, in SES’s words.',
  Details: 'What the recipient’s server said, or `null`.',
  Email: 'The address that bounced. Of several in one email, the first whose server said why.',
  From: 'The sender.',
  BouncedAt: 'When, in ISO 8601.',
  DumpAvailable: '`false`.',
  Inactive: 'Whether the address was suppressed for it. That may have been lifted since.',
  CanActivate: '`false`: `DELETE /api/v1/suppressions/{email}` lifts a suppression.',
  Subject: 'The subject.',
} as const;
