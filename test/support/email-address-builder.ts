import { type EmailAddress, parseEmailAddress } from '#shared/contacts/email-address';

/** The address as a request's parser reads it. */
export function buildEmailAddress(text: string): EmailAddress {
  const parsed = parseEmailAddress(text);
  if (!parsed.ok) throw new Error(`not an address: ${text}`);
  return parsed.value;
}
