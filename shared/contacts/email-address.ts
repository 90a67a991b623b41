import { domainToASCII } from 'node:url';

/**
 * SES gets `address`: the local part as written, the domain in lower-case ASCII. Contacts, suppressions and duplicates
 * are compared by `identity`, all lower case. RFC 5321 §2.4 lets a host distinguish `A@` from `a@`; no host that
 * matters does, and for suppressions it's safer to treat both as one person.
 */
export type EmailAddress = {
  readonly address: string;
  readonly identity: string;
  /** Only for the email that uses it. Never stored. */
  readonly name?: string;
};

type EmailAddressResult =
  | { readonly ok: true; readonly value: EmailAddress }
  | { readonly ok: false; readonly reason: string };

const maxLocalPartLength = 64;
const maxAddressLength = 254;
/** No valid address is longer, however its unicode is written. */
const maxTextLength = 2_000;

/** RFC 5322 §3.2.3 dot-atom. SES takes 7-bit local parts only (SES developer guide, "Email format"). */
const dotAtom = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
/**
 * RFC 2047 §5 allows none in an address, but whatever decodes one makes `=?utf-8?Q?bob?=@` the mailbox of `bob@`, whose
 * suppression has another name.
 */
const encodedWord = /=\?[^?]*\?[^?]*\?.*\?=/;
const domainLabel = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
/** Excludes characters that a host parser would cut off or decode. */
const domainCharacters = /^[\p{L}\p{M}\p{N}.-]+$/u;
const controlCharacter = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Could end a header line or hide in one (RFC 5322 §2.2). */
export const hasControlCharacter = (text: string): boolean => controlCharacter.test(text);

/**
 * Reverses the direction of writing, so a name can look like another address, and `invoice-\u202efdp.zip` is shown as
 * `invoice-piz.pdf` (UTS #39).
 */
export const turnsDirection = (text: string): boolean => /[\u202a-\u202e\u2066-\u2069]/.test(text);

/** A line break in a name is no reason to lose the email, and must not end the header. */
export const inOneLine = (text: string): string => text.replaceAll(controlCharacters, ' ');

/**
 * One mailbox has one spelling, so another one can't evade its suppression: quotes, comments and encoded words are
 * refused, and so are invisible characters and a final dot of the domain.
 *
 * Accepts no display name. Trims, lower-cases the domain and converts it from unicode to ASCII (UTS #46).
 */
export function parseEmailAddress(text: string): EmailAddressResult {
  if (text.length > maxTextLength) return tooLong;
  if (hasControlCharacter(text))
    return refused('must not contain control characters or line breaks');
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  if (at < 1) return refused('must be an email address such as name@example.com');

  const localPart = trimmed.slice(0, at);
  if (!dotAtom.test(localPart)) {
    return refused('must be a bare email address whose part before the @ is plain ASCII');
  }
  if (localPart.length > maxLocalPartLength) {
    return refused(`must have at most ${maxLocalPartLength} characters before the @`);
  }
  if (encodedWord.test(localPart)) {
    return refused('must not have an encoded word (=?…?=) before the @: mail programs decode it');
  }

  const domain = toAsciiDomain(trimmed.slice(at + 1));
  if (domain === undefined) return refused('must have a valid domain after the @');

  const address = `${localPart}@${domain}`;
  if (address.length > maxAddressLength) return tooLong;
  return { ok: true, value: { address, identity: address.toLowerCase() } };
}

function toAsciiDomain(domain: string): string | undefined {
  if (!domainCharacters.test(domain)) return undefined;
  const ascii = domainToASCII(domain);
  const labels = ascii.split('.');
  const topLevel = labels.at(-1) ?? '';
  const isHostName = labels.length > 1 && labels.every((label) => domainLabel.test(label));
  const isIpAddress = /^\d+$/.test(topLevel);
  return isHostName && !isIpAddress ? ascii : undefined;
}

const refused = (reason: string): EmailAddressResult => ({ ok: false, reason });
const tooLong = refused(`must have at most ${maxAddressLength} characters`);

/** @param address a stored `EmailAddress.address`. An erased one has no identity. */
export const recipientIdentityOf = (address: string): string | undefined =>
  address.includes('@') ? address.toLowerCase() : undefined;
