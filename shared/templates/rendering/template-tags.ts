export type Tag = {
  /** What follows the braces: `#`, `^`, `/`, `&`, `!`, …, `{` for three braces, nothing for a variable. */
  readonly symbol: string;
  readonly name: string;
  /** Of everything between the braces, blanks included. */
  readonly length: number;
  /** The offset of its first brace. */
  readonly start: number;
  /** Whether its closing braces follow. Nothing comes after an unclosed tag. */
  readonly isClosed: boolean;
};

/**
 * In order and in linear time. Mustache's own parser takes quadratic time for blanks within a tag, so it gets only what
 * was read here before.
 */
export function* tagsIn(template: string): Generator<Tag, void> {
  const opening = /\{\{\s*([#^/>{&=!]?)/y;
  for (let start = template.indexOf('{{'); start !== -1; ) {
    opening.lastIndex = start;
    const [, symbol = ''] = opening.exec(template) ?? [];
    const closing = closingOf(symbol);
    const end = template.indexOf(closing, opening.lastIndex);
    const isClosed = end !== -1;
    const name = isClosed ? template.slice(opening.lastIndex, end).trim() : '';
    yield { symbol, name, start, isClosed, length: end - start - '{{'.length };
    if (!isClosed) return;
    start = template.indexOf('{{', end + closing.length);
  }
}

const closingOf = (symbol: string): string => (symbol === '{' ? '}}}' : '}}');
