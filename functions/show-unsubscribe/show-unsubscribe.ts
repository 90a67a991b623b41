import { signContactToken } from '#shared/contacts/contact-token';
import type { TokenHolder } from '#shared/sending/token-holder';
import type { Keyring } from '#shared/tokens/signed-token';

/** What a person sees who follows the unsubscribe link. Following it changes nothing. */
export type UnsubscribeView =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'confirm' };

/**
 * Sends the person to the organization's own page if it has one. The page gets a token that shows and
 * changes the preferences, and unsubscribes from everything. An organization that is paused or whose links are
 * disabled gets nobody sent: its recipients leave on the service's page.
 */
export function showUnsubscribe(
  { organization, token }: TokenHolder,
  keyring: Keyring,
): UnsubscribeView {
  const { unsubscribePageUrl, paused, linksDisabled } = organization;
  if (unsubscribePageUrl === undefined || paused || linksDisabled) return { kind: 'confirm' };
  const url = new URL(unsubscribePageUrl);
  url.searchParams.set('token', signContactToken(keyring, 'preferences', token));
  return { kind: 'redirect', url: url.href };
}
