import type { OutgoingAttachment } from '#shared/attachments/attachment';
import type { EmailAddress } from '#shared/contacts/email-address';
import type { FeedbackId, OrganizationId } from '#shared/tokens/resource-id';

/** SES takes names of up to 126 and values of up to 870 characters (API v2 reference, "MessageHeader"). */
export type EmailHeader = { readonly name: string; readonly value: string };

export type OutgoingEmail = {
  readonly organizationId: OrganizationId;
  readonly feedbackId: FeedbackId;
  /** Only if organizations are SES tenants. */
  readonly tenantName: string | undefined;
  readonly fromEmail: string;
  readonly senderName: string | undefined;
  /** Mailboxes as people write them. Default: the From address. */
  readonly replyTo: readonly string[];
  readonly to: readonly EmailAddress[];
  readonly cc: readonly EmailAddress[];
  readonly bcc: readonly EmailAddress[];
  readonly subject: string;
  readonly text: string;
  readonly html: string | undefined;
  readonly headers: readonly EmailHeader[];
  readonly attachments: readonly OutgoingAttachment[];
  /** Don't retry when SES throttles: the organization sends more than its share (`usage/fair-share.ts`). */
  readonly isShedFirst: boolean;
};

/**
 * - `accepted`: SES will deliver it. `acceptedAt`: when, if its events say so to the millisecond.
 * - `refused`: SES's answer is no, and would be again. `reason` is SES's name for it.
 * - `throttled`: SES's answer is no for now.
 * - `unreachable`: no connection in time, so SES got nothing.
 * - `unknown`: no answer, or an inconclusive one. The email may have been sent.
 */
export type ProviderOutcome =
  | {
      readonly kind: 'accepted';
      readonly providerMessageId: string;
      readonly acceptedAt?: number;
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'throttled' }
  | { readonly kind: 'unreachable'; readonly cause: unknown }
  | { readonly kind: 'unknown'; readonly cause: unknown };

export type CallDeadline = { readonly beginsBefore: number; readonly endsBefore: number };

/** Sends at most once, within the deadline. If no call could begin in time, the outcome is `unreachable`. */
export type EmailProvider = (
  email: OutgoingEmail,
  deadline: CallDeadline,
) => Promise<ProviderOutcome>;
