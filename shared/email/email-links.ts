import { type ContactToken, signContactToken } from '#shared/preferences/contact-token';
import type { Keyring } from '#shared/tokens/signed-token';
import { signClickToken, signOpenToken } from '#shared/tracking/tracking-token';

export type EmailLinks = {
  /** For the header: a POST unsubscribes with one click (RFC 8058). Its token does nothing else. */
  readonly oneClick: string;
  /** For the footer: the page that asks first. Its token opens the preferences too, like the link next to it. */
  readonly unsubscribe: string;
  readonly preferences: string;
  readonly openPixel: string;
  /** `undefined` if the URL isn't tracked. */
  readonly click: (destination: string) => string | undefined;
};

/**
 * Longer URLs aren't tracked. Base64 and the signature add a third, and HTTP API takes at most 10 KB of request line
 * and headers.
 */
const maxDestinationLength = 4_000;

/**
 * Unsubscribe links aren't tracked, so that people can leave undisturbed. Other untracked links:
 * `tracking/rewrite-html.ts`.
 *
 * @param unsubscribePageUrl the organization's own unsubscribe page, if it has one.
 */
export function createEmailLinks(
  keyring: Keyring,
  baseUrl: string,
  recipient: ContactToken,
  unsubscribePageUrl?: string,
): EmailLinks {
  const unsubscribe = `${baseUrl}/api/unsubscribe`;
  const preferences = `${baseUrl}/preferences`;
  const isForLeaving = (url: string) =>
    url.startsWith(unsubscribe) ||
    url.startsWith(preferences) ||
    isSamePage(url, unsubscribePageUrl);
  const forPreferences = signContactToken(keyring, 'preferences', recipient);
  return {
    oneClick: `${unsubscribe}?token=${signContactToken(keyring, 'unsubscribe', recipient)}`,
    unsubscribe: `${unsubscribe}?token=${forPreferences}`,
    preferences: `${preferences}?token=${forPreferences}`,
    openPixel: `${baseUrl}/t/o/${signOpenToken(keyring, recipient.feedbackId)}`,
    click: (destination) =>
      destination.length > maxDestinationLength || isForLeaving(destination)
        ? undefined
        : `${baseUrl}/t/c/${signClickToken(keyring, recipient.feedbackId, destination)}`,
  };
}

/** Ignores queries. */
function isSamePage(url: string, page: string | undefined): boolean {
  if (page === undefined) return false;
  const [one, other] = [new URL(url), new URL(page)];
  return one.origin === other.origin && one.pathname === other.pathname;
}
