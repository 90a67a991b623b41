const notInAlphabet = /[^A-Za-z0-9+/]/;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const unusedBits = [0, 0b11, 0b1111] as const;

/**
 * The number of bytes in a base64 text; `undefined` unless it is exactly what an encoder writes (RFC 4648 §4): in its
 * alphabet, padded, without white space (§3.1, §3.3) and with the unused bits zero (§3.5). So two texts are equal
 * exactly when their bytes are.
 *
 * It scans for the first other character: the text may be megabytes long, and one pattern for all of it would fill the
 * backtrack stack.
 */
export function base64ByteLength(text: string): number | undefined {
  const firstOther = text.search(notInAlphabet);
  const end = firstOther === -1 ? text.length : firstOther;
  const padding = text.length - end;
  const isWhole = text.length % 4 === 0;
  const isPadding = padding <= 2 && text.slice(end) === '='.repeat(padding);
  if (!isWhole || !isPadding) return undefined;

  const lastBits = alphabet.indexOf(text.charAt(end - 1));
  const isCanonical = padding === 0 || (lastBits & (unusedBits[padding] ?? 0)) === 0;
  return isCanonical ? (text.length / 4) * 3 - padding : undefined;
}
