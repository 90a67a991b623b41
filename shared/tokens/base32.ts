import { createHmac, hash, randomBytes } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Lower case, 5 bits a character. */
export function randomBase32(length = 16): string {
  return base32(randomBytes(Math.ceil((length * 5) / 8))).slice(0, length);
}

/** 5 bits of the SHA-256 per character. */
export const digest = (text: string, length = 16): string =>
  base32(hash('sha256', text, 'buffer').subarray(0, (length * 5) / 8));

/** 5 bits of the HMAC-SHA-256 per character. */
export const macDigest = (key: string, text: string, length = 16): string =>
  base32(
    createHmac('sha256', key)
      .update(text)
      .digest()
      .subarray(0, (length * 5) / 8),
  );

/** Six digits, the highest first. */
export const base32Number = (number: number): string =>
  [25, 20, 15, 10, 5, 0].map((shift) => alphabet.charAt((number >> shift) & 31)).join('');

/** The highest digit comes first. */
export const numberOfBase32 = (digits: string): number =>
  [...digits].reduce((sum, digit) => sum * 32 + alphabet.indexOf(digit), 0);

function base32(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet.charAt((buffer >> bits) & 31);
    }
  }
  return bits > 0 ? text + alphabet.charAt((buffer << (5 - bits)) & 31) : text;
}
