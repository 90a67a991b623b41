import { hasControlCharacter } from './email-address.ts';

/**
 * Takes the address out of `Ann <ann@example.com>` or `"Lee, Ann" <ann@example.com>` (RFC 5322 §3.4,
 * "name-addr"). Any other text is answered as it is, also one that names several addresses.
 */
export function withoutDisplayName(text: string): string {
  if (hasControlCharacter(text)) return text;
  return nameAndAddress.exec(text.trim())?.[1] ?? text;
}

/** A name without quotes holds nothing that could end an address or begin another. */
const nameAndAddress = /^(?:"(?:[^"\\]|\\.)*" *|[^"<>@,;]*)<([^<>]*)>$/;
