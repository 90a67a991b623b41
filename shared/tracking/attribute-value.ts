import { QuoteType, Tokenizer } from 'htmlparser2';

/** An attribute of a start tag. Offsets are into the document; the value's exclude its quotes. */
export type Attribute = {
  readonly name: string;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly quote: QuoteType;
};

/**
 * The value that a browser reads: character references decoded as in attributes, where `&copy=` and
 * `&copy1` stand for themselves (HTML §13.2.5.73), NUL replaced.
 */
export function decodedValueOf(html: string, { valueStart, valueEnd }: Attribute): string {
  const text = html.slice(valueStart, valueEnd).replaceAll('\0', '\u{fffd}');
  return text.includes('&') ? decodeReferences(text) : text;
}

/** Has the tokenizer read the text as a quoted value; `"` can stand in it when its own quotes are others. */
function decodeReferences(text: string): string {
  const tag = `<a b="${text.replaceAll('"', '&quot;')}">`;
  let value = '';
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    {},
    {
      onattribdata: (start, end) => {
        value += tag.slice(start, end);
      },
      onattribentity: (codePoint) => {
        value += String.fromCodePoint(codePoint);
      },
      onattribend: ignore,
      onattribname: ignore,
      oncdata: ignore,
      onclosetag: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onopentagend: ignore,
      onopentagname: ignore,
      onprocessinginstruction: ignore,
      onselfclosingtag: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  );
  tokenizer.write(tag);
  return value;
}

/** The text that stands for `value` between (or without) such quotes: HTML §13.1.2.3. */
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
