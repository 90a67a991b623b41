import { refuse } from './refusals.ts';
import { isReserved } from './reserved-words.ts';

/** The parts that all expressions are made of: tokens, document paths, and placeholders of values. */

export type Path = {
  readonly kind: 'path';
  /** Names, placeholders of names, and list positions. */
  readonly elements: readonly (string | number)[];
};

/** A placeholder of a value, as `:now`. */
export type Value = { readonly kind: 'value'; readonly name: string };

/** What an expression speaks of. */
export type Mentions = {
  readonly names: Set<string>;
  readonly values: Set<string>;
  readonly paths: Path[];
};

export type ExpressionReader = {
  readonly mentions: Mentions;
  isDone(): boolean;
  /** Whether the next token is this symbol or, in capitals, this keyword. */
  isNext(token: string): boolean;
  isCallNext(): boolean;
  isValueNext(): boolean;
  /** Takes the next token if it is this one. */
  accept(token: string): boolean;
  expect(token: string): void;
  take(): string;
  path(): Path;
  value(): Value;
  /** One or more, with commas between them. */
  list<Element>(element: () => Element): Element[];
};

const tokenForm =
  /\s*(?:(<>|<=|>=|[=<>()[\].,+-])|([#:][A-Za-z0-9_]+|[A-Za-z][A-Za-z0-9_]*)|(0|[1-9]\d*))/y;

/** @throws DynamoDBServiceException when the text has something that is no token. */
export function openReader(text: string): ExpressionReader {
  const tokens = tokensOf(text);
  const mentions: Mentions = { names: new Set(), values: new Set(), paths: [] };
  let position = 0;

  const peek = () => tokens[position] ?? '';
  const take = (): string => {
    const token = tokens[position] ?? refuse(`Syntax error; token: "<EOF>", near: "${text}"`);
    position += 1;
    return token;
  };
  const isNext = (token: string) => peek().toUpperCase() === token;
  const accept = (token: string): boolean => {
    const isThere = isNext(token);
    if (isThere) position += 1;
    return isThere;
  };
  const expect = (token: string): void => {
    if (!accept(token)) refuse(`Syntax error; token: "${peek() || '<EOF>'}", near: "${text}"`);
  };

  const name = (): string => {
    const token = take();
    if (token.startsWith('#')) mentions.names.add(token);
    else if (!/^[A-Za-z]/.test(token)) refuse(`Syntax error; token: "${token}", near: "${text}"`);
    else if (isReserved(token)) refuse(`Attribute name is a reserved keyword: ${token}`);
    return token;
  };
  const index = (): number => {
    const token = take();
    if (!/^\d/.test(token)) refuse(`Syntax error; token: "${token}", near: "${text}"`);
    expect(']');
    return Number(token);
  };
  const path = (): Path => {
    const elements: (string | number)[] = [name()];
    for (;;) {
      if (accept('.')) elements.push(name());
      else if (accept('[')) elements.push(index());
      else break;
    }
    const read: Path = { kind: 'path', elements };
    mentions.paths.push(read);
    return read;
  };
  const value = (): Value => {
    const placeholder = take();
    mentions.values.add(placeholder);
    return { kind: 'value', name: placeholder };
  };

  return {
    mentions,
    isDone: () => position === tokens.length,
    isNext,
    isCallNext: () => /^[A-Za-z]/.test(peek()) && tokens[position + 1] === '(',
    isValueNext: () => peek().startsWith(':'),
    accept,
    expect,
    take,
    path,
    value,
    list: (element) => {
      const elements = [element()];
      while (accept(',')) elements.push(element());
      return elements;
    },
  };
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  if (end === 0) refuse('The expression can not be empty');
  tokenForm.lastIndex = 0;
  for (let start = 0; start < end; start = tokenForm.lastIndex) {
    const [matched] = tokenForm.exec(text) ?? refuse(`Syntax error; near: "${text.slice(start)}"`);
    tokens.push(matched.trimStart());
  }
  return tokens;
}

/** A parser that reads each text once. Every schedule has the same few expressions. */
export function remember<Expression>(parse: (text: string) => Expression) {
  const parsed = new Map<string, Expression>();
  return (text: string): Expression => {
    const known = parsed.get(text);
    if (known !== undefined) return known;
    const expression = parse(text);
    parsed.set(text, expression);
    return expression;
  };
}
