import { domainToASCII } from 'node:url';
import type { SMTPServerOptions } from 'smtp-server';
import { parseEmailAddress } from '#shared/contacts/email-address';
import type { Log } from './log.ts';
import { SmtpRefusal } from './refusal.ts';

/** Refuses a single invalid recipient here: later, it would fail the message for all. */
export function recipientCheck(log: Log): NonNullable<SMTPServerOptions['onRcptTo']> {
  return ({ address }, _, callback) => {
    const parsed = parseEmailAddress(withAsciiDomain(address));
    if (parsed.ok) return callback();
    const { reason } = parsed;
    log('recipient refused', { reply: 553, reason });
    return callback(new SmtpRefusal(553, `invalid_recipient: The address ${reason}`));
  };
}

/** `domainToASCII` would cut off or decode other characters. */
const convertible = /^[a-z0-9.\u{80}-\u{10ffff}-]+$/iu;

/** The SMTP library and the parser turn `xn--` into Unicode, but the service rejects emoji there. */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  const ascii = convertible.test(domain) ? domainToASCII(domain) : '';
  return address.slice(0, at) + (ascii || domain);
}
