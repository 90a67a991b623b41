import type { Organization } from '#shared/organizations/organization';
import type { EmailLinks } from './email-links.ts';

type Sender = Pick<Organization, 'name' | 'footerText'>;
type FooterLinks = Pick<EmailLinks, 'unsubscribe' | 'preferences'>;

/** What follows the text part of a bulk email. `-- ` is the signature separator of RFC 3676 §4.3. */
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

/** What stands at the end of the HTML part of a bulk email. */
export function footerHtml(sender: Sender, links: FooterLinks): string {
  const lines = escapeHtml(sender.footerText ?? sender.name).replaceAll('\n', '<br>');
  const link = (url: string, label: string) =>
    `<a href="${escapeHtml(url)}" style="color:#6b7280">${label}</a>`;
  return `<div style="margin:32px 0 0;padding:16px 0 0;border-top:1px solid #d1d5db;color:#6b7280;font:13px/1.5 sans-serif">${lines}<br>${link(links.unsubscribe, 'Unsubscribe')} · ${link(links.preferences, 'Email preferences')}</div>`;
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const;

/** Makes text safe between tags and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', entities['&'])
    .replaceAll('<', entities['<'])
    .replaceAll('>', entities['>'])
    .replaceAll('"', entities['"'])
    .replaceAll("'", entities["'"]);
