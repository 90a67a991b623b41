import * as z from 'zod/mini';
import { contactIdSchema } from '#shared/tokens/resource-id';

/** Why an address gets no email. `manual`: the organization itself suppressed it. */
export const suppressionReasons = ['bounce', 'complaint', 'manual', 'unsubscribe'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

export const suppressionSchema = z.object({
  /** Epoch milliseconds of the first cause. */
  at: z.int(),
  /** Of a complaint: SES named several recipients, and this is one of them. It blocks bulk email only. */
  possible: z.optional(z.literal(true)),
});

export const contactSchema = z.object({
  id: contactIdSchema,
  /** The normalised address, `EmailAddress.identity`. Absent once it is erased. */
  email: z.optional(z.string()),
  /** When the person was erased, epoch milliseconds. The digest and its suppressions stay. */
  erasedAt: z.optional(z.int()),
  bounce: z.optional(suppressionSchema),
  complaint: z.optional(suppressionSchema),
  manual: z.optional(suppressionSchema),
  unsubscribe: z.optional(suppressionSchema),
  /** Subscriptions by category key. A category that is missing is subscribed. */
  subscriptions: z.record(z.string(), z.boolean()),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Contact = z.infer<typeof contactSchema>;

/** The contact of a write. The address is given only if it is known and to be stored. */
export type ContactRef = Pick<Contact, 'id' | 'email'>;

/** A contact whose address the organization knows. */
export type KnownContact = Contact & { readonly email: string };

export const isKnown = (contact: Contact | undefined): contact is KnownContact =>
  contact?.email !== undefined;

/** Whether the contact gets the category's emails. It does until it says no. */
export const isSubscribed = (contact: Contact, categoryKey: string): boolean =>
  contact.subscriptions[categoryKey] !== false;
