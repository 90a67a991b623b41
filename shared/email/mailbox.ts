/**
 * A mailbox as a header has it: `"Example Ltd" <hello@example.com>` (RFC 5322 §3.4), or the bare address if
 * there is no name. SES takes 7-bit text only, so a name with other characters becomes encoded words (RFC
 * 2047; SES API v2 reference, "SendEmail", FromEmailAddress).
 *
 * @param name one line without control characters.
 */
export const mailboxOf = (name: string | undefined, address: string): string =>
  name === undefined ? address : `${phraseOf(name)} <${address}>`;

/** Printable ASCII can be quoted. What looks like an encoded word is encoded, so that it isn't decoded. */
function phraseOf(name: string): string {
  const isQuotable = /^[ -~]*$/.test(name) && !name.includes('=?');
  return isQuotable ? `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"` : encodedWordsOf(name);
}

/** RFC 2047 §2: an encoded word has at most 75 characters: 12 of frame and the base64 of 45 bytes. */
const mostBytes = 45;

/** Words are split between characters, never inside one (RFC 2047 §5). Readers join them without the space. */
function encodedWordsOf(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > mostBytes) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map(encodedWordOf).join(' ');
}

const encodedWordOf = (text: string): string =>
  `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
