import { type Html, html } from './html.ts';

/** Where a page's form goes. */
export type PageForm = {
  /** A URL of this service: the Content-Security-Policy lets no form go, or be redirected, elsewhere. */
  readonly action: string;
  /** Sent as the hidden field `token`; leave it out when `action` carries it. */
  readonly token?: string;
};

// Firefox brings ticks back on reload that were never saved, unless autocomplete is off.
export const layOutForm = ({ action, token }: PageForm, content: Html): Html =>
  html`<form method="post" action="${action}" autocomplete="off">
${token === undefined ? undefined : html`<input type="hidden" name="token" value="${token}">`}
${content}
</form>`;
