import { parseEmailAddress } from './email-address.ts';

/** Not a valid address. */
export const erasedAddress = 'erased';

/**
 * Replaces the address in a stored value of any shape, names of members included. A text that is an address is compared
 * as a whole: `joann@example.com` stays when `ann@example.com` goes. In other texts every occurrence is replaced.
 *
 * @param identity `EmailAddress.identity`
 */
export function withoutAddress(value: unknown, identity: string): unknown {
  if (typeof value === 'string') {
    const address = parseEmailAddress(value);
    if (!address.ok) return withoutAddressInText(value, identity);
    return address.value.identity === identity ? erasedAddress : value;
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

/** Also replaces it where a URL encodes it, or another address contains it. */
export function withoutAddressInText(text: string, identity: string): string {
  const spellings = [identity, encodeURIComponent(identity)].map(RegExp.escape);
  return text.replaceAll(new RegExp(spellings.join('|'), 'gi'), erasedAddress);
}

export const withoutAddressInJson = (json: string, identity: string): string =>
  JSON.stringify(withoutAddress(JSON.parse(json), identity));
