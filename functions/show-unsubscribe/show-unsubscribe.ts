import type { TokenHolder } from '#shared/sending/token-holder';

/** What a person sees who follows the unsubscribe link. Following it changes nothing. */
export type UnsubscribeView =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'confirm' };

/** Sends the person to the organization's own page if it has one. The page gets the token to act on. */
export function showUnsubscribe({ organization }: TokenHolder, token: string): UnsubscribeView {
  const { unsubscribePageUrl } = organization;
  if (unsubscribePageUrl === undefined) return { kind: 'confirm' };
  const url = new URL(unsubscribePageUrl);
  url.searchParams.set('token', token);
  return { kind: 'redirect', url: url.href };
}
