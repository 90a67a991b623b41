import * as z from 'zod/mini';

/** Why an address gets no email. `manual`: the organization itself suppressed it. */
export const suppressionReasons = ['bounce', 'complaint', 'manual', 'unsubscribe'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

export const suppressionSchema = z.object({
  /** Epoch milliseconds of the first cause. */
  at: z.int(),
});

/**
 * Whether a bounce suppresses the address. Only a permanent one does: a full mailbox or a slow host may
 * recover.
 *
 * @param bounceType as SES names it: `Permanent`, `Transient` or `Undetermined`.
 */
export const isSuppressingBounce = (bounceType: string): boolean => bounceType === 'Permanent';
