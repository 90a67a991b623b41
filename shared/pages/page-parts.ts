import { type Html, html } from './html.ts';

/** Decoration: the words beside it say the same. */
export const checkMark = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 12.5l4 4 8-9"/></svg>`;

/** Unsubscribing doesn't stop emails with a transactional policy. */
export const essentialEmailsNote = html`<p class="quiet">You may still get emails about things you do, such as receipts or password resets.</p>`;

export type PageForm = {
  /** A URL of this service: the Content-Security-Policy doesn't let a form go, or be redirected, elsewhere. */
  readonly action: string;
  /** Sent as the hidden field `token`. Leave it out if `action` contains it. */
  readonly token?: string;
};

// Unless autocomplete is off, Firefox restores unsaved ticks on reload.
export const layOutForm = ({ action, token }: PageForm, content: Html): Html =>
  html`<form method="post" action="${action}" autocomplete="off">
${token === undefined ? undefined : html`<input type="hidden" name="token" value="${token}">`}
${content}
</form>`;

/**
 * Shows just enough for its owner to recognise it, because others may have the link: `a***@example.com`. Always three
 * stars, which hide the length too.
 */
export function maskAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const [firstCharacter = ''] = email.slice(0, Math.max(at, 0));
  return at < 1 ? '***' : `${firstCharacter}***${email.slice(at)}`;
}
