import type { OutgoingAttachment } from '#shared/attachments/attachment';
import type { EmailAddress } from '#shared/contacts/email-address';
import type { FeedbackId, OrganizationId } from '#shared/tokens/resource-id';

/** A header of the message. SES takes names of up to 126 and values of up to 995 characters. */
export type EmailHeader = { readonly name: string; readonly value: string };

/** One email as it is handed to the provider. */
export type OutgoingEmail = {
  readonly organizationId: OrganizationId;
  readonly feedbackId: FeedbackId;
  /** The tenant of SES in whose name it goes, where organizations are tenants. */
  readonly tenantName: string | undefined;
  readonly fromEmail: string;
  /** Stands before the From address, if the organization has such a name. */
  readonly senderName: string | undefined;
  /** Where answers go, if not to the From address. */
  readonly replyTo: string | undefined;
  readonly to: EmailAddress;
  readonly cc: readonly EmailAddress[];
  readonly bcc: readonly EmailAddress[];
  readonly subject: string;
  readonly text: string;
  readonly html: string | undefined;
  readonly headers: readonly EmailHeader[];
  readonly attachments: readonly OutgoingAttachment[];
  /** Whether it is not tried again when the provider throttles, as its organization sends more than its share. */
  readonly isShedFirst: boolean;
};

/**
 * The outcome of handing an email to the provider.
 *
 * - `accepted`: the provider will deliver it.
 * - `rejected`: the provider refused it, and would refuse it again. `reason` is the provider's name for that.
 * - `throttled`: the provider refused it for now.
 * - `unreachable`: no connection to the provider was made, or none in time, so it heard nothing.
 * - `unknown`: no answer came, or an answer that does not tell. The email may have been sent.
 */
export type ProviderOutcome =
  | { readonly kind: 'accepted'; readonly providerMessageId: string }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'throttled' }
  | { readonly kind: 'unreachable'; readonly cause: unknown }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/** Until when a call may begin, and until when it may go on. Epoch milliseconds. */
export type CallDeadline = { readonly beginsBefore: number; readonly endsBefore: number };

/**
 * Hands one email to the provider, at most once, within the deadline. If no call could begin in time, the
 * outcome is `unreachable`.
 */
export type EmailProvider = (
  email: OutgoingEmail,
  deadline: CallDeadline,
) => Promise<ProviderOutcome>;
