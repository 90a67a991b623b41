import type { TokenHolder } from '#shared/sends/token-holder';

export type UnsubscribeView =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'confirm' };

/**
 * The organization's own page, if it has one, gets the token that the person came with: one from the footer also shows
 * and changes the preferences, one from a header only unsubscribes. An organization that is paused or whose links are
 * disabled has the service's page.
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
