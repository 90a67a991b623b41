import {
  type EmailAddress,
  hasControlCharacter,
  parseEmailAddress,
  turnsDirection,
} from './email-address.ts';

export type Mailbox = { readonly name: string | undefined; readonly address: EmailAddress };

const maxNameLength = 100;

export function parseMailbox(
  text: string,
):
  | { readonly ok: true; readonly value: Mailbox }
  | { readonly ok: false; readonly reason: string } {
  const { name, address } = splitMailbox(text);
  const parsed = parseEmailAddress(address);
  if (!parsed.ok) return { ok: false, reason: faultOfMailbox(text, parsed.reason) };
  if (name !== undefined && (name.length > maxNameLength || turnsDirection(name))) {
    const reason = `must have a name of at most ${maxNameLength} characters that keep the direction of writing`;
    return { ok: false, reason };
  }
  if (name !== undefined && !name.isWellFormed()) {
    return { ok: false, reason: 'must be well-formed Unicode' };
  }
  return { ok: true, value: { name, address: parsed.value } };
}

/** @param reason what's wrong with its address, if nothing else says it better. */
export function faultOfMailbox(text: string, reason: string): string {
  const [beforeAt = ''] = text.trim().split('@', 1);
  const hasForgottenBrackets = !/[<>]/.test(text) && beforeAt.includes(' ');
  return hasForgottenBrackets
    ? 'must have its address in angle brackets: Name <name@example.com>'
    : reason;
}

/** The address of `Ann <ann@example.com>`. Returns other text unchanged, even if it names several addresses. */
export const withoutDisplayName = (text: string): string => splitMailbox(text).address;

/** A name without quotes contains nothing that could end an address or start another (RFC 5322 §3.4, "name-addr"). */
const nameAndAddress = /^("(?:[^"\\]|\\.)*" *|[^"<>@,;]*)<([^<>]*)>$/;

function splitMailbox(text: string): {
  readonly name: string | undefined;
  readonly address: string;
} {
  const [, phrase = '', address] = hasControlCharacter(text)
    ? []
    : (nameAndAddress.exec(text.trim()) ?? []);
  if (address === undefined) return { name: undefined, address: text };
  const trimmed = phrase.trim();
  const name = trimmed.startsWith('"')
    ? trimmed.slice(1, -1).replaceAll(/\\(.)/g, '$1').trim()
    : trimmed;
  return { name: name === '' ? undefined : name, address };
}

/** Splits a header's list at its commas, except those within quotes. */
export function mailboxesIn(list: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (const { 0: mark, index } of list.matchAll(/\\.|[",]/gs)) {
    if (mark === '"') isQuoted = !isQuoted;
    if (mark !== ',' || isQuoted) continue;
    found.push(list.slice(start, index));
    start = index + 1;
  }
  return [...found, list.slice(start)].map((one) => one.trim()).filter((one) => one !== '');
}

/** As people write it: `Jürgen <j@example.com>`. `parseMailbox` reads it back. */
export const readableMailbox = ({
  name,
  address: { address },
}: {
  readonly name: string | undefined;
  readonly address: { readonly address: string };
}): string => {
  if (name === undefined) return address;
  return `${/["\\<>@,;]/.test(name) ? quoted(name) : name} <${address}>`;
};

/**
 * For a header: `"Example Ltd" <hello@example.com>` (RFC 5322 §3.4). SES takes 7-bit text only, so a name with other
 * characters becomes encoded words (RFC 2047; SES API v2 reference, "SendEmail", FromEmailAddress).
 *
 * @param name one line without control characters.
 */
export const mailboxOf = (name: string | undefined, address: string): string =>
  name === undefined ? address : `${phraseOf(name)} <${address}>`;

/**
 * Printable ASCII can be quoted. A name that looks like an encoded word is encoded, so that readers don't decode it.
 */
function phraseOf(name: string): string {
  const isQuotable = /^[ -~]*$/.test(name) && !name.includes('=?');
  return isQuotable ? quoted(name) : encodedWordsOf(name);
}

const quoted = (name: string): string => `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** RFC 2047 §2: an encoded word has at most 75 characters: 12 of frame and the base64 of 45 bytes. */
const maxBytes = 45;

/** Splits between characters, never inside one (RFC 2047 §5). Readers join the words without the space. */
function encodedWordsOf(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > maxBytes) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map(encodedWordOf).join(' ');
}

const encodedWordOf = (text: string): string =>
  `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
