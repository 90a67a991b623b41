import type { Organization, Policy } from '#shared/organizations/organization';
import { html } from '#shared/pages/html';
import type { EmailLinks } from './email-links.ts';
import type { OutgoingEmail } from './email-provider.ts';

type Recipients = Pick<OutgoingEmail, 'to' | 'cc' | 'bcc'>;

/** With only one recipient, the links may act for that person. */
export const hasOneRecipient = ({ to, cc, bcc }: Recipients): boolean =>
  to.length + cc.length + bcc.length === 1;

export const hasFooter = (recipients: Recipients, { kind }: Policy): boolean =>
  hasOneRecipient(recipients) && kind === 'bulk';

type Sender = Pick<Organization, 'name' | 'footerText'>;
type FooterLinks = Pick<EmailLinks, 'unsubscribe' | 'preferences'>;

/** `-- ` is the signature separator of RFC 3676 §4.3. */
export const footerText = (sender: Sender, links: FooterLinks): string =>
  [
    '',
    '',
    '-- ',
    sender.footerText ?? sender.name,
    `Unsubscribe: ${links.unsubscribe}`,
    `Email preferences: ${links.preferences}`,
    '',
  ].join('\n');

/** Inline styles, because many mail clients drop style sheets. */
export function footerHtml(sender: Sender, links: FooterLinks): string {
  const [first = '', ...more] = (sender.footerText ?? sender.name).split('\n');
  const lines = html`${first}${more.map((line) => html`<br>${line}`)}`;
  const link = (url: string, label: string) =>
    html`<a href="${url}" style="color:#6b7280">${label}</a>`;
  return html`<div style="margin:32px 0 0;padding:16px 0 0;border-top:1px solid #d1d5db;color:#6b7280;font:13px/1.5 sans-serif">${lines}<br>${link(links.unsubscribe, 'Unsubscribe')} · ${link(links.preferences, 'Email preferences')}</div>`
    .text;
}
