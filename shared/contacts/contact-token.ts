import {
  type ContactId,
  contactIdSchema,
  type FeedbackId,
  feedbackIdSchema,
} from '#shared/tokens/resource-id';
import { type Keyring, signToken, verifyToken } from '#shared/tokens/signed-token';

/**
 * What a token in an email says: the contact it was sent to, and the send it came with. It holds no
 * address, because links end up in logs and histories.
 */
export type ContactToken = { readonly contactId: ContactId; readonly feedbackId: FeedbackId };

export type ContactTokenPurpose = 'unsubscribe' | 'preferences';

/** Signs a token for one contact and one purpose. It does not expire: people open an email years later. */
export const signContactToken = (
  keyring: Keyring,
  purpose: ContactTokenPurpose,
  { contactId, feedbackId }: ContactToken,
): string => signToken(keyring, purpose, `${contactId} ${feedbackId}`);

/** Reads a token; `undefined` when it is forged, altered or of another purpose. */
export function readContactToken(
  keyring: Keyring,
  purpose: ContactTokenPurpose,
  token: string,
): ContactToken | undefined {
  const [contactId, feedbackId] = verifyToken(keyring, purpose, token)?.split(' ') ?? [];
  const contact = contactIdSchema.safeParse(contactId).data;
  const send = feedbackIdSchema.safeParse(feedbackId).data;
  return contact && send && { contactId: contact, feedbackId: send };
}
