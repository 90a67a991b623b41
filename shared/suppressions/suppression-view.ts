import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { contactIdSchema } from '#shared/tokens/resource-id';
import type { Suppression } from './suppression-list-store.ts';

export const suppressionViewSchema = z.object({
  /** `null` once the contact is erased: the suppression stays, but no longer shows whose it is. */
  email: z.nullable(z.string()),
  contactId: contactIdSchema,
  reason: z.enum(suppressionReasons),
  at: z.int(),
  diagnostic: z.optional(z.string()),
  /** Only for a complaint. A possible complaint blocks bulk email only. */
  possible: z.optional(z.literal(true)),
  messageId: z.optional(z.string()),
});

export const toSuppressionView = ({
  email,
  contactId,
  reason,
  at,
  diagnostic,
  possible,
  providerMessageId,
}: Suppression) => ({
  email: email ?? null,
  contactId,
  reason,
  at,
  diagnostic,
  possible,
  messageId: providerMessageId,
});
