import {
  type ContactId,
  contactIdSchema,
  type FeedbackId,
  feedbackIdSchema,
} from '#shared/tokens/resource-id';
import { type Keyring, signToken, verifyToken } from '#shared/tokens/signed-token';

/**
 * The contact an email was sent to, and its send. No address: links end up in logs and histories. Signed, and readable
 * by anyone: `tokens/signed-token.ts`.
 */
export type ContactToken = {
  readonly contactId: ContactId;
  readonly feedbackId: FeedbackId;
  /** The category of the send's policy, which is all that unsubscribing leaves. */
  readonly categoryKey?: string;
};

export type ContactTokenPurpose = 'unsubscribe' | 'preferences';

/**
 * Which tokens each use accepts. A token for choosing emails can also end them all. The unsubscribe token is in the
 * email's headers, which mail servers and scanners read and log, so it opens nothing else:
 *
 * | Made for      | Found in                                      | Leads to                                     |
 * |---------------|-----------------------------------------------|----------------------------------------------|
 * | `unsubscribe` | `List-Unsubscribe`                            | unsubscribing, and the page that asks first  |
 * | `preferences` | both links of the footer, a mailed link       | the same, and seeing and changing categories |
 * | `click`       | tracked links                                 | the one destination that is in it            |
 * | `open`        | the pixel                                     | nothing                                      |
 *
 * No page and no redirect gives its caller a token that it doesn't already have.
 */
const acceptedPurposes = {
  unsubscribe: ['unsubscribe', 'preferences'],
  preferences: ['preferences'],
} as const satisfies Record<ContactTokenPurpose, readonly ContactTokenPurpose[]>;

export const signContactToken = (
  keyring: Keyring,
  purpose: ContactTokenPurpose,
  { contactId, feedbackId, categoryKey }: ContactToken,
): string =>
  signToken(
    keyring,
    purpose,
    [contactId, feedbackId, ...(categoryKey === undefined ? [] : [categoryKey])].join(' '),
  );

/** `undefined` when it's forged, altered or made for another use. */
export function readContactToken(
  keyring: Keyring,
  use: ContactTokenPurpose,
  token: string,
): ContactToken | undefined {
  const payload = acceptedPurposes[use]
    .map((purpose) => verifyToken(keyring, purpose, token))
    .find((verified) => verified !== undefined);
  const [contactId, feedbackId, categoryKey] = payload?.split(' ') ?? [];
  const contact = contactIdSchema.safeParse(contactId).data;
  const send = feedbackIdSchema.safeParse(feedbackId).data;
  if (contact === undefined || send === undefined) return undefined;
  return {
    contactId: contact,
    feedbackId: send,
    ...(categoryKey !== undefined && { categoryKey }),
  };
}
