import * as z from 'zod/mini';

/** The words of a diagnostic that are kept: remote servers write what they like. */
export const longestDiagnostic = 1_000;

/** What is known of the cause of a suppression, beside its reason. */
export type SuppressionDetails = {
  /** When the address became bad, epoch milliseconds; now, unless told. */
  readonly at?: number | undefined;
  /** In the words of the recipient's server, of SES, or of who suppressed the address. */
  readonly diagnostic?: string | undefined;
  /** The address as it was sent to. SES's own list knows it by this spelling only. */
  readonly address?: string | undefined;
  /** Of a complaint whose complainer is one of several. */
  readonly possible?: true | undefined;
  /** The message that it is about, when an event of SES caused it. */
  readonly providerMessageId?: string | undefined;
};

/** What is stored of one suppression beside its contact. */
export const suppressionRecordSchema = z.object({
  at: z.int(),
  diagnostic: z.optional(z.string()),
  /** Only if it is spelled otherwise than the contact's address. */
  address: z.optional(z.string()),
  possible: z.optional(z.literal(true)),
  /**
   * The organization's message that bounced or was complained about. Absent when somebody imported or wrote the
   * suppression: nothing that SES keeps follows from it.
   */
  providerMessageId: z.optional(z.string()),
});
export type SuppressionRecord = z.infer<typeof suppressionRecordSchema>;

/** What is stored of a suppression of the address `identity` that is made now. */
export function suppressionRecordOf(
  identity: string | undefined,
  { at, diagnostic, address, possible, providerMessageId }: SuppressionDetails,
  now: number,
): SuppressionRecord {
  const isSpelledOtherwise = address !== undefined && address !== identity;
  return {
    at: at ?? now,
    ...(diagnostic && { diagnostic: diagnostic.slice(0, longestDiagnostic) }),
    ...(isSpelledOtherwise && { address }),
    ...(possible && { possible }),
    ...(providerMessageId !== undefined && { providerMessageId }),
  };
}
