import * as z from 'zod/mini';
import type { Policy } from '#shared/organizations/organization';
import {
  type SuppressionReason,
  suppressionReasons,
  suppressionSchema,
} from '#shared/suppressions/suppression';
import { contactIdSchema } from '#shared/tokens/resource-id';

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

export type BlockReason = SuppressionReason | 'unsubscribed_category';

const blockedBy = {
  transactional: ['bounce', 'complaint', 'manual'],
  bulk: suppressionReasons,
} as const satisfies Record<Policy['kind'], readonly SuppressionReason[]>;

/** Why the policy forbids an email to the contact; `undefined` if the email may go out. */
export function blockReasonOf(contact: Contact, policy: Policy): BlockReason | undefined {
  const suppression = blockedBy[policy.kind].find((reason) => blocks(contact[reason], policy));
  if (suppression !== undefined) return suppression;

  const { categoryKey } = policy;
  const subscribed = categoryKey === undefined || isSubscribed(contact, categoryKey);
  return subscribed ? undefined : 'unsubscribed_category';
}

/** A password reset must reach those who may have complained: most of them didn't. */
const blocks = (suppression: Contact[SuppressionReason], { kind }: Policy): boolean =>
  suppression !== undefined && !(kind === 'transactional' && suppression.possible === true);

/** Whether the contact gets the category's emails. It does until it says no. */
export const isSubscribed = (contact: Contact, categoryKey: string): boolean =>
  contact.subscriptions[categoryKey] !== false;
