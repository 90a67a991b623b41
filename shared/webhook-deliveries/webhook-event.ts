import * as z from 'zod/mini';
import type { FilteredSend, WebhookEventType } from '#shared/organizations/webhook-subscriptions';
import { type ContactId, sendIdSchema } from '#shared/tokens/resource-id';

export type EmailEventType = Extract<WebhookEventType, `email.${string}`>;
export type SuppressionEventType = Extract<WebhookEventType, `suppression.${string}`>;

type EventBase = {
  readonly key: string;
  readonly at: number;
};

/** Fields of every message about an email, besides the options that it repeats (`sending/send-options.ts`). */
export const emailFields = {
  sendId: sendIdSchema,
  to: z.string(),
  allTo: z.optional(z.array(z.string())),
  cc: z.optional(z.array(z.string())),
  subject: z.string(),
  policyKey: z.string(),
  test: z.optional(z.literal(true)),
};

/** Fields that only some types have: `infra/openapi/webhook-messages.ts`. */
export const emailFacts = {
  messageId: z.string(),
  sendAt: z.iso.datetime(),
  suppressedRecipients: z.array(z.object({ email: z.string(), reason: z.string() })),
  reason: z.string(),
  recipients: z.array(z.object({ email: z.string(), diagnostic: z.optional(z.string()) })),
  /** `send-history/verdict.ts`. Names nobody: bodies are stored, and erased by address only. */
  verdict: z.object({ code: z.string(), sentence: z.string(), next: z.optional(z.string()) }),
  url: z.string(),
  machine: z.boolean(),
};

type Fields = z.output<z.ZodMiniObject<typeof emailFields>>;
type Facts = z.output<z.ZodMiniObject<typeof emailFacts>>;
/** JSON leaves out `undefined` fields. */
export type EmailEventFacts = ReadonlyLists<{ [Name in keyof Facts]?: Facts[Name] | undefined }>;
export type EmailEventData = ReadonlyLists<Fields> & EmailEventFacts;
type ReadonlyLists<Data> = {
  readonly [Name in keyof Data]: Data[Name] extends readonly (infer One)[] | undefined
    ? readonly One[] | Extract<Data[Name], undefined>
    : Data[Name];
};

export type EmailWebhookEvent = EventBase & {
  readonly type: EmailEventType;
  readonly data: EmailEventData;
  /** What filters look at, and what messages in Resend's form add to ours. */
  readonly send: FilteredSend & { readonly from: string; readonly createdAt: number };
};

export type SuppressionEventData = {
  readonly contactId: ContactId;
  readonly email?: string;
  readonly reason: string;
  readonly at: number;
  readonly possible?: boolean;
  readonly messageId?: string;
};

type SuppressionWebhookEvent = EventBase & {
  readonly type: SuppressionEventType;
  readonly data: SuppressionEventData;
  readonly send?: undefined;
};

type OtherWebhookEvent = EventBase & {
  readonly type: Exclude<WebhookEventType, EmailEventType | SuppressionEventType>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly send?: undefined;
};

export type WebhookEvent = EmailWebhookEvent | SuppressionWebhookEvent | OtherWebhookEvent;
