import type { TokenHolder } from '#shared/sends/token-holder';

/** What a person sees who follows the unsubscribe link. Following it changes nothing. */
export type UnsubscribeView =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'confirm' };

/**
 * Sends the person to the organization's own page if it has one. The page gets the token
 * that the person came with: one from the footer shows and changes the preferences too, one from a header only
 * unsubscribes. An organization that is paused or whose links are
 * disabled gets nobody sent: its recipients leave on the service's page.
 */
export function showUnsubscribe({
  organization,
  text,
}: Pick<TokenHolder, 'organization' | 'text'>): UnsubscribeView {
  const { unsubscribePageUrl, paused, linksDisabled } = organization;
  if (unsubscribePageUrl === undefined || paused || linksDisabled) return { kind: 'confirm' };
  const url = new URL(unsubscribePageUrl);
  url.searchParams.set('token', text);
  return { kind: 'redirect', url: url.href };
}
