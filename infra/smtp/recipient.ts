import { domainToASCII } from 'node:url';
import type { SMTPServerOptions } from 'smtp-server';
import { parseEmailAddress } from '#shared/contacts/email-address';
import type { Log } from './log.ts';
import { SmtpRefusal } from './refusal.ts';

/** One that the service doesn't take is refused alone. Later, it would fail the message for all. */
export function recipientJudge(log: Log): NonNullable<SMTPServerOptions['onRcptTo']> {
  return ({ address }, _, callback) => {
    const parsed = parseEmailAddress(withAsciiDomain(address));
    if (parsed.ok) return callback();
    const { reason } = parsed;
    log('recipient refused', { reply: 553, reason });
    return callback(new SmtpRefusal(553, `invalid_recipient: The address ${reason}`));
  };
}

/** Only letters and signs: of others, the conversion would cut off or decode some. */
const convertible = /^[a-z0-9.\u{80}-\u{10ffff}-]+$/iu;

/** The SMTP library and the parser turn `xn--` into Unicode, and the service takes no emoji there. */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  const ascii = convertible.test(domain) ? domainToASCII(domain) : '';
  return address.slice(0, at) + (ascii || domain);
}
