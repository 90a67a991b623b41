import type { TokenHolder } from '#shared/sends/token-holder';

type UnsubscribeView =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'confirm' };

/**
 * An organization's own page, if it has one, gets the token that the person came with. A footer's token also shows and
 * changes the preferences; a header's only unsubscribes. An organization that is paused or has its links disabled gets
 * the service's page.
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
