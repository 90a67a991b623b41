import { domainToUnicode } from 'node:url';
import { parseEmailAddress } from './email-address.ts';

/** Not a valid address. */
export const erasedAddress = 'erased';

/**
 * Replaces the address in a stored value of any shape, names of members included. A text that is an address is compared
 * as a whole: `joann@example.com` stays when `ann@example.com` goes. In other texts, and in paths and queries, which
 * may read as addresses, every occurrence is replaced.
 *
 * @param identity `EmailAddress.identity`
 */
export function withoutAddress(value: unknown, identity: string): unknown {
  if (typeof value === 'string') {
    const address = parseEmailAddress(value);
    if (address.ok && address.value.identity === identity) return erasedAddress;
    return address.ok && !partOfLink.test(value) ? value : withoutAddressInText(value, identity);
  }
  if (Array.isArray(value)) return value.map((one) => withoutAddress(one, identity));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      `${withoutAddress(name, identity)}`,
      withoutAddress(member, identity),
    ]),
  );
}

const partOfLink = /[/?=&#]/;

/** Also replaces it where a URL encodes it, once or up to three times, or another address contains it. */
export function withoutAddressInText(text: string, identity: string): string {
  if (last?.identity !== identity) last = { identity, pattern: patternOf(identity) };
  return text.replaceAll(last.pattern, erasedAddress);
}

/** An erasure looks for one address in many texts. */
let last: { readonly identity: string; readonly pattern: RegExp } | undefined;

function patternOf(identity: string): RegExp {
  const inUnicode = identity.replace(/[^@]+$/, (domain) => domainToUnicode(domain) || domain);
  const spellings = [...new Set([identity, inUnicode])].map(encodedOrNot);
  return new RegExp(spellings.join('|'), 'gi');
}

/** Encoders differ in which characters they leave unencoded. */
const encodedOrNot = (spelling: string): string =>
  spelling.replaceAll(/[^a-z0-9]/gu, (character) => {
    const bytes = [...Buffer.from(character)].map((byte) => `%(?:25){0,2}${byte.toString(16)}`);
    return `(?:${RegExp.escape(character)}|${bytes.join('')})`;
  });

export const withoutAddressInJson = (json: string, identity: string): string =>
  JSON.stringify(withoutAddress(JSON.parse(json), identity));
