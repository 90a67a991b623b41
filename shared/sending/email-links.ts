import { type ContactToken, signContactToken } from '#shared/contacts/contact-token';
import type { Keyring } from '#shared/tokens/signed-token';
import { signClickToken, signOpenToken } from '#shared/tracking/tracking-token';

/** Every link of the service in one email. */
export type EmailLinks = {
  /** Takes the one-click POST of RFC 8058; a GET shows the confirmation page. */
  readonly unsubscribe: string;
  readonly preferences: string;
  readonly openPixel: string;
  /** `undefined` for a destination too long to be carried in a link. */
  readonly click: (destination: string) => string | undefined;
  /** Whether a link must stay as it is: who wants to leave is not tracked. */
  readonly isOwn: (url: string) => boolean;
};

/** Base64 and signature make a third more of it, and HTTP API takes 10 KB of request line and headers. */
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
