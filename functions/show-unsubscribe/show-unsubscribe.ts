import type { MailRecipient } from '#shared/contacts/mail-recipient';

/** What a person who follows the unsubscribe link gets to see. Nothing is changed by following it. */
export type UnsubscribeView =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'confirm' };

/** Sends the person to the organization's own page when it has one, with the token to act on. */
export function showUnsubscribe({ organization }: MailRecipient, token: string): UnsubscribeView {
  const { unsubscribePageUrl } = organization;
  if (unsubscribePageUrl === undefined) return { kind: 'confirm' };
  const url = new URL(unsubscribePageUrl);
  url.searchParams.set('token', token);
  return { kind: 'redirect', url: url.href };
}
