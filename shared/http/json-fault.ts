/** What may come next in a JSON text. */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end';

const blanks = /[ \t\n\r]*/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
/** All from the blank on but the quote and the backslash. */
const plainText = /[ !#-[\]-\uffff]*/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Finds where a text stops being JSON (RFC 8259): `JSON.parse` does not say so of every fault. Takes linear time.
 *
 * @returns the offset, which is the text's length when it ends too early; `undefined` when it is JSON.
 */
export function findJsonFault(text: string): number | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let at = after(blanks, text, 0); ; at = after(blanks, text, at)) {
    const character = text[at];
    if (character === undefined) {
      return open.length === 0 && expected === 'comma or end' ? undefined : at;
    }
    const next = step(character, expected, open);
    if (next === undefined) return at;
    expected = next;
    if (punctuation.has(character)) at += 1;
    else {
      const end = character === '"' ? endOfString(text, at) : endOfScalar(text, at);
      if ('fault' in end) return end.fault;
      at = end.end;
    }
  }
}

const punctuation = new Set('{}[]:,');

/** What may follow the token that begins with this character, or `undefined` if the token may not stand here. */
function step(character: string, expected: Expected, open: string[]): Expected | undefined {
  switch (character) {
    case '{':
    case '[':
      if (!expected.startsWith('value')) return undefined;
      open.push(character);
      return character === '{' ? 'name or }' : 'value or ]';
    case '}':
    case ']': {
      const mayClose = expected === 'comma or end' || expected.endsWith(character);
      const opening = character === '}' ? '{' : '[';
      return mayClose && open.pop() === opening ? 'comma or end' : undefined;
    }
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    case ',':
      if (expected !== 'comma or end' || open.length === 0) return undefined;
      return open.at(-1) === '{' ? 'name' : 'value';
    default:
      if (character === '"' && expected.startsWith('name')) return 'colon';
      return expected.startsWith('value') ? 'comma or end' : undefined;
  }
}

type TokenEnd = { readonly end: number } | { readonly fault: number };

/** Without one expression for all of it: its backtracking would need memory for each character. */
function endOfString(text: string, start: number): TokenEnd {
  let at = after(plainText, text, start + 1);
  while (text[at] === '\\') {
    const end = after(escapeSequence, text, at);
    if (end === at) return { fault: at };
    at = after(plainText, text, end);
  }
  return text[at] === '"' ? { end: at + 1 } : { fault: at };
}

function endOfScalar(text: string, start: number): TokenEnd {
  const end = after(scalar, text, start);
  return end === start ? { fault: start } : { end };
}

/** The offset behind what the expression matches here, which may be nothing. */
function after(expression: RegExp, text: string, start: number): number {
  expression.lastIndex = start;
  return start + (expression.exec(text)?.[0].length ?? 0);
}
