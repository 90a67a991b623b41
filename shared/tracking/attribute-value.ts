import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import type { Attribute } from './html-tag.ts';

/** A character reference and the next character, which decides whether it is one. */
const reference = /&[#a-z\d]+[;=]?/gi;

/**
 * Decodes a value like a browser: references as in attributes, where `&copy=` and `&copy1` stay undecoded (HTML
 * §13.2.5.73), and NUL replaced.
 */
export function decodedValueOf(html: string, { valueStart, valueEnd }: Attribute): string {
  const raw = html.slice(valueStart, valueEnd);
  const text = raw.includes('\0') ? raw.replaceAll('\0', '\u{fffd}') : raw;
  if (!text.includes('&')) return text;
  // So common in links that it skips the decoder.
  return text.replaceAll(reference, (found) => (found === '&amp;' ? '&' : decoder.decode(found)));
}

/** Decodes one attribute value of a tag. */
class ReferenceDecoder implements TokenizerCallbacks {
  readonly #tokenizer = new Tokenizer({}, this);
  #tag = '';
  #value = '';

  decode(reference: string): string {
    this.#tag = `<a b="${reference}">`;
    this.#value = '';
    this.#tokenizer.reset();
    this.#tokenizer.write(this.#tag);
    return this.#value;
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#tag.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {}
  onattribname(): void {}
  oncdata(): void {}
  onclosetag(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onopentagend(): void {}
  onopentagname(): void {}
  onprocessinginstruction(): void {}
  onselfclosingtag(): void {}
  ontext(): void {}
  ontextentity(): void {}
}

const decoder = new ReferenceDecoder();

/** For a value in such quotes, or none: HTML §13.1.2.3. */
export function encodeAttributeValue(value: string, quote: QuoteType): string {
  switch (quote) {
    case QuoteType.Double:
      return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    case QuoteType.Single:
      return value.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
    case QuoteType.Unquoted:
      return value.replaceAll(
        /[\t\n\f\r "&'<=>`]/g,
        (character) => `&#${character.charCodeAt(0)};`,
      );
    case QuoteType.NoValue:
      return `="${encodeAttributeValue(value, QuoteType.Double)}"`;
  }
}
