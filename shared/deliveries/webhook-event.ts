import type { FilteredSend, WebhookEventType } from '#shared/organizations/webhook-subscriptions';
import type { ContactId, SendId } from '#shared/tokens/resource-id';

export type EmailEventType = Extract<WebhookEventType, `email.${string}`>;
export type SuppressionEventType = Extract<WebhookEventType, `suppression.${string}`>;

type Occurrence = {
  readonly key: string;
  readonly at: number;
};

export type EmailEventData = {
  readonly sendId: SendId;
  readonly messageId?: string;
  readonly to: string;
  readonly allTo?: readonly string[];
  readonly cc?: readonly string[];
  readonly subject: string;
  readonly policyKey: string;
  readonly test?: boolean;
  readonly sendAt?: string;
  readonly suppressedRecipients?: readonly { readonly email: string; readonly reason: string }[];
  readonly reason?: string;
  readonly recipients?: readonly {
    readonly email: string;
    readonly diagnostic?: string | undefined;
  }[];
  readonly url?: string;
  readonly machine?: boolean;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

export type EmailWebhookEvent = Occurrence & {
  readonly type: EmailEventType;
  readonly data: EmailEventData;
  /** What filters look at, and what messages in Resend's form say beyond ours. */
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

type SuppressionWebhookEvent = Occurrence & {
  readonly type: SuppressionEventType;
  readonly data: SuppressionEventData;
  readonly send?: undefined;
};

type OtherWebhookEvent = Occurrence & {
  readonly type: Exclude<WebhookEventType, EmailEventType | SuppressionEventType>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly send?: undefined;
};

export type WebhookEvent = EmailWebhookEvent | SuppressionWebhookEvent | OtherWebhookEvent;
