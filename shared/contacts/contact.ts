import * as z from 'zod/mini';
import { contactIdSchema } from '#shared/tokens/resource-id';

/** Why an address gets no email. `manual`: the organization itself suppressed it. */
export const suppressionReasons = ['bounce', 'complaint', 'manual', 'unsubscribe'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

export const suppressionSchema = z.object({
  /** Epoch milliseconds of the first cause. */
  at: z.int(),
  /** SES named several recipients, including this one. Blocks bulk email only. */
  possible: z.optional(z.literal(true)),
});

export const contactSchema = z.object({
  id: contactIdSchema,
  /** The normalised address, `EmailAddress.identity`. Absent after erasure. */
  email: z.optional(z.string()),
  erasedAt: z.optional(z.int()),
  bounce: z.optional(suppressionSchema),
  complaint: z.optional(suppressionSchema),
  manual: z.optional(suppressionSchema),
  unsubscribe: z.optional(suppressionSchema),
  /** By category key. A missing category counts as subscribed. */
  subscriptions: z.record(z.string(), z.boolean()),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Contact = z.infer<typeof contactSchema>;

/** Has the address if it's known and may be stored. */
export type ContactRef = Pick<Contact, 'id' | 'email'>;

export type KnownContact = Contact & { readonly email: string };

export const isKnown = (contact: Contact | undefined): contact is KnownContact =>
  contact?.email !== undefined;

/** @param madeAt of the thing that still names the address. */
export const isErasedSince = (contact: Contact | undefined, madeAt: number): boolean =>
  contact?.erasedAt !== undefined && contact.erasedAt >= madeAt;

/** A contact is subscribed until it opts out. */
export const isSubscribed = (contact: Contact, categoryKey: string): boolean =>
  contact.subscriptions[categoryKey] !== false;
