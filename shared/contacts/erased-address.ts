import { recipientIdentityOf } from './email-address.ts';

/** Stands where the address of a person stood who was erased. It is no address. */
export const erasedAddress = 'erased';

/**
 * A stored value without the address of a person, whatever it is made of. A text that is an address is
 * compared as a whole, so that `joann@example.com` is kept when `ann@example.com` goes; of any other text
 * every occurrence goes.
 *
 * @param identity `EmailAddress.identity`
 */
export function withoutAddress(value: unknown, identity: string): unknown {
  if (typeof value === 'string') {
    const address = recipientIdentityOf(value);
    if (address === undefined) return withoutAddressInText(value, identity);
    return address === identity ? erasedAddress : value;
  }
  if (Array.isArray(value)) return value.map((one) => withoutAddress(one, identity));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutAddress(member, identity)]),
  );
}

/** A text without the address, also as URLs write it, and where it is a part of another address. */
export function withoutAddressInText(text: string, identity: string): string {
  const spellings = [identity, encodeURIComponent(identity)].map(RegExp.escape);
  return text.replaceAll(new RegExp(spellings.join('|'), 'gi'), erasedAddress);
}

/** A text of JSON without the address. */
export const withoutAddressInJson = (json: string, identity: string): string =>
  JSON.stringify(withoutAddress(JSON.parse(json), identity));
