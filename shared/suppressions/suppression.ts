import * as z from 'zod/mini';
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
export type SuppressionRecord = z.infer<typeof suppressionRecordSchema>;

export function suppressionRecordOf(
  identity: string | undefined,
  { at, diagnostic, address, possible, providerMessageId }: SuppressionDetails,
  now: number,
): SuppressionRecord {
  const isSpelledOtherwise = address !== undefined && address !== identity;
  return {
    at: at ?? now,
    ...(diagnostic && { diagnostic: cutText(diagnostic, longestDiagnostic) }),
    ...(isSpelledOtherwise && { address }),
    ...(possible && { possible }),
    ...(providerMessageId !== undefined && { providerMessageId }),
  };
}
