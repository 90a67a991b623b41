import type { OutgoingAttachment } from '#shared/attachments/attachment';
import type { EmailAddress } from '#shared/contacts/email-address';
import type { FeedbackId, OrganizationId } from '#shared/tokens/resource-id';

/** A header of the message; SES takes names up to 126 and values up to 995 characters. */
export type EmailHeader = { readonly name: string; readonly value: string };

/** One email as it is handed to the provider. */
export type OutgoingEmail = {
  readonly organizationId: OrganizationId;
  readonly feedbackId: FeedbackId;
  readonly fromEmail: string;
  readonly to: EmailAddress;
  readonly cc: readonly EmailAddress[];
  readonly bcc: readonly EmailAddress[];
  readonly subject: string;
  readonly text: string;
  readonly html: string | undefined;
  readonly headers: readonly EmailHeader[];
  readonly attachments: readonly OutgoingAttachment[];
};

/**
 * What came of handing an email over.
 *
 * - `accepted`: it is the provider's to deliver.
 * - `rejected`: a definite no that a retry would not change; `reason` is the provider's name for it.
 * - `throttled`: a definite no for now.
 * - `unknown`: no answer, or one that does not say; the email may be out.
 */
export type ProviderOutcome =
  | { readonly kind: 'accepted'; readonly providerMessageId: string }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'throttled' }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/**
 * Hands one email to the provider, at most once. No call begins or goes on after `notAfter` (epoch
 * milliseconds); an email that could not be tried in time is `throttled`.
 */
export type EmailProvider = (email: OutgoingEmail, notAfter: number) => Promise<ProviderOutcome>;
