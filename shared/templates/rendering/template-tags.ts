export type Tag = {
  /** The character after the braces: `#`, `^`, `/`, `&`, `!`, …, `{` for three braces, nothing for a variable. */
  readonly symbol: string;
  readonly name: string;
  /** Everything between the braces, blanks included. */
  readonly length: number;
  /** The offset of its first brace. */
  readonly start: number;
  /** Whether its closing braces follow. An unclosed tag is the last one. */
  readonly isClosed: boolean;
};

/**
 * In order and in linear time. Mustache's own parser takes quadratic time for blanks within a tag, so it only gets what
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

/**
 * The name of a declared variable. Tags are freer (`nameFault` in `template-syntax.ts`): in one, dots separate such
 * names, as in `{{order.total}}`.
 */
export const variableNamePattern = /^(?!__proto__$)[\p{L}\p{N}_][\p{L}\p{N}_-]{0,63}$/u;

/** The name under which a layout prints the email. */
export const slotName = 'content';

/** A layout has one slot, printed once, so an email is no longer than it and its layout together. */
export function slotFault(body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  let depth = 0;
  let slots = 0;
  for (const { symbol, name } of tagsIn(body)) {
    if (symbol === '#' || symbol === '^') depth += 1;
    if (symbol === '/') depth -= 1;
    if (name !== slotName || symbol === '!') continue;
    if (depth > 0 || (symbol !== '{' && symbol !== '&')) {
      return 'the slot is {{{content}}}, with three braces and in no section';
    }
    slots += 1;
  }
  return slots === 1 ? undefined : 'a layout has {{{content}}} once, where the email goes';
}
