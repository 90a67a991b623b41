import * as z from 'zod/mini';
import type { SuppressionReason } from '#shared/contacts/contact';
import { withoutAddressInText } from '#shared/contacts/erased-address';
import { cutText } from '#shared/errors/cut-text';

/** Remote servers write as much as they like. */
export const longestDiagnostic = 1_000;

export type SuppressionDetails = {
  /** When the address went bad; defaults to now. */
  readonly at?: number | undefined;
  /** From the recipient's server, SES, or the person who suppressed the address. */
  readonly diagnostic?: string | undefined;
  /** As sent to: SES's own list knows only this spelling. */
  readonly address?: string | undefined;
  /** For a complaint that any of several recipients may have made. */
  readonly possible?: true | undefined;
  /** Present if an SES event caused the suppression. */
  readonly providerMessageId?: string | undefined;
};

export const suppressionRecordSchema = z.object({
  at: z.int(),
  diagnostic: z.optional(z.string()),
  /** Only if spelled differently from the contact's address. */
  address: z.optional(z.string()),
  possible: z.optional(z.literal(true)),
  /**
   * The organization's message that bounced or was complained about. Absent for imported or manual suppressions, which
   * imply nothing about SES's lists.
   */
  providerMessageId: z.optional(z.string()),
});
type SuppressionRecord = z.infer<typeof suppressionRecordSchema>;

/** Why an address is suppressed. */
export type SuppressionCause = SuppressionRecord & { readonly reason: SuppressionReason };

/** An address to suppress. */
export type NewSuppression = {
  readonly identity: string;
  readonly reason: SuppressionReason;
  readonly details?: SuppressionDetails;
};

export function causeOf(
  { identity, reason, details = {} }: NewSuppression,
  now: number,
): SuppressionCause {
  const { at, diagnostic, address, possible, providerMessageId } = details;
  const isSpelledOtherwise = address !== undefined && address !== identity;
  return {
    reason,
    at: at ?? now,
    ...(diagnostic && { diagnostic: cutText(diagnostic, longestDiagnostic) }),
    ...(isSpelledOtherwise && { address }),
    ...(possible && { possible }),
    ...(providerMessageId !== undefined && { providerMessageId }),
  };
}

/** Without what names the person: for one who was erased, or may have been. */
export function namelessCauseOf(
  { details: { address: _, diagnostic, ...details } = {}, ...suppression }: NewSuppression,
  now: number,
): SuppressionCause {
  const nameless = diagnostic && withoutAddressInText(diagnostic, suppression.identity);
  return causeOf({ ...suppression, details: { ...details, diagnostic: nameless } }, now);
}
