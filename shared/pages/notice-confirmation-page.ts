import { html } from './html.ts';
import { layOutPage } from './page-layout.ts';
import { checkMark, layOutForm, maskAddress, type PageForm } from './page-parts.ts';

type NoticeConfirmationPage = {
  readonly organizationName: string;
  /** Shown masked. */
  readonly noticeEmail: string;
  /** Absent once the address is confirmed. */
  readonly form?: PageForm;
};

/** Behind the link that asks an address whether it wants an organization's notices. */
export function noticeConfirmationPage({
  organizationName,
  noticeEmail,
  form,
}: NoticeConfirmationPage): string {
  const address = html`<b><bdi>${maskAddress(noticeEmail)}</bdi></b>`;
  const organization = html`<b><bdi>${organizationName}</bdi></b>`;
  if (form === undefined) {
    const title = 'You’ll get notices at this address';
    const content = html`<h1>${title}</h1>
<p role="status" class="notice good">${checkMark}<b>Confirmed.</b></p>
<p>${address} will now get notices about ${organization}. You can close this page.</p>`;
    return layOutPage({ title, organizationName, content });
  }
  const title = 'Get notices at this address?';
  const content = html`<h1>${title}</h1>
<p>${organization} wants to send notices about its email service to ${address}: when a webhook endpoint fails, too many emails bounce, its domain stops working, or an API key may have leaked.</p>
${layOutForm(form, html`<button>Yes, send them here</button>`)}
<p class="quiet">If you don’t know what this is about, close this page and you won’t get any.</p>`;
  return layOutPage({ title, organizationName, content });
}
