import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { contactIdSchema } from '#shared/tokens/resource-id';
import type { Suppression } from './suppression-list-store.ts';

/** A suppression as callers see it. */
export const suppressionViewSchema = z.object({
  /** `null` once the person is erased: the suppression stays, and nobody knows whose it is. */
  email: z.nullable(z.string()),
  contactId: contactIdSchema,
  reason: z.enum(suppressionReasons),
  /** When the address became bad, epoch milliseconds. */
  at: z.int(),
  /** What caused it, in the words of the recipient's server, of SES, or of who suppressed the address. */
  diagnostic: z.optional(z.string()),
  /** Of a complaint: the person may have made it. It blocks bulk email only. */
  possible: z.optional(z.literal(true)),
});

export const toSuppressionView = ({
  email,
  contactId,
  reason,
  at,
  diagnostic,
  possible,
}: Suppression) => ({
  email: email ?? null,
  contactId,
  reason,
  at,
  diagnostic,
  possible,
});
