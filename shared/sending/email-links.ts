import { type ContactToken, signContactToken } from '#shared/contacts/contact-token';
import type { Keyring } from '#shared/tokens/signed-token';
import { signClickToken, signOpenToken } from '#shared/tracking/tracking-token';

/** Every link of the service in one email. */
export type EmailLinks = {
  /** A POST unsubscribes with one click (RFC 8058). A GET shows the confirmation page. */
  readonly unsubscribe: string;
  readonly preferences: string;
  readonly openPixel: string;
  /** `undefined` for a destination too long to be carried in a link. */
  readonly click: (destination: string) => string | undefined;
  /** Whether a link is one of ours. Such a link is not tracked: a person who wants to leave is left alone. */
  readonly isOwn: (url: string) => boolean;
};

/** Base64 and the signature add a third. HTTP API takes at most 10 KB of request line and headers. */
const maxDestinationLength = 4_000;

/** @param baseUrl where the service is reached, without a trailing slash. */
export function createEmailLinks(
  keyring: Keyring,
  baseUrl: string,
  recipient: ContactToken,
): EmailLinks {
  const unsubscribe = `${baseUrl}/api/unsubscribe`;
  const preferences = `${baseUrl}/preferences`;
  return {
    unsubscribe: `${unsubscribe}?token=${signContactToken(keyring, 'unsubscribe', recipient)}`,
    preferences: `${preferences}?token=${signContactToken(keyring, 'preferences', recipient)}`,
    openPixel: `${baseUrl}/t/o/${signOpenToken(keyring, recipient.feedbackId)}`,
    click: (destination) =>
      destination.length > maxDestinationLength
        ? undefined
        : `${baseUrl}/t/c/${signClickToken(keyring, recipient.feedbackId, destination)}`,
    isOwn: (url) => url.startsWith(unsubscribe) || url.startsWith(preferences),
  };
}
