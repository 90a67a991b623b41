import {
  type ExpressionReader,
  type Mentions,
  openReader,
  type Path,
  remember,
  type Value,
} from './expression-reader.ts';
import { refuse } from './refusals.ts';

/** The grammar of update expressions. */

export type Fallback = {
  readonly kind: 'if_not_exists';
  readonly path: Path;
  readonly otherwise: Term;
};

export type Term = Path | Value | Fallback;

export type NewValue =
  | Term
  | { readonly kind: 'list_append'; readonly left: Term; readonly right: Term }
  | { readonly kind: '+' | '-'; readonly left: Term; readonly right: Term };

export type UpdateAction =
  | { readonly kind: 'SET'; readonly path: Path; readonly value: NewValue }
  | { readonly kind: 'REMOVE'; readonly path: Path }
  | { readonly kind: 'ADD' | 'DELETE'; readonly path: Path; readonly value: Value };

export type UpdateExpression = {
  readonly actions: readonly UpdateAction[];
  readonly mentions: Mentions;
};

/** @throws DynamoDBServiceException when the text is no update. */
export const parseUpdate = remember((text: string): UpdateExpression => {
  const reader = openReader(text);
  const seen = new Set<string>();
  const actions: UpdateAction[] = [];
  while (!reader.isDone()) {
    const section = reader.take().toUpperCase();
    if (seen.has(section)) refuse(`The "${section}" section can only be used once`);
    seen.add(section);
    actions.push(...reader.list(() => readAction(section, reader)));
  }
  return { actions, mentions: reader.mentions };
});

function readAction(section: string, reader: ExpressionReader): UpdateAction {
  const path = reader.path();
  switch (section) {
    case 'SET':
      reader.expect('=');
      return { kind: section, path, value: readNewValue(reader) };
    case 'REMOVE':
      return { kind: section, path };
    case 'ADD':
    case 'DELETE':
      return { kind: section, path, value: readValue(reader) };
    default:
      return refuse(`Syntax error; token: "${section}"`);
  }
}

const readValue = (reader: ExpressionReader): Value =>
  reader.isValueNext() ? reader.value() : refuse(`Syntax error; token: "${reader.take()}"`);

function readNewValue(reader: ExpressionReader): NewValue {
  const left = readOperand(reader);
  for (const kind of ['+', '-'] as const) {
    if (reader.accept(kind))
      return { kind, left: termOf(left), right: termOf(readOperand(reader)) };
  }
  return left;
}

function readOperand(reader: ExpressionReader): NewValue {
  if (reader.accept('(')) {
    if (reader.isNext('(')) refuse('The expression has redundant parentheses');
    const inner = readNewValue(reader);
    reader.expect(')');
    return inner;
  }
  if (reader.isValueNext()) return reader.value();
  return reader.isCallNext() ? readCall(reader) : reader.path();
}

function readCall(reader: ExpressionReader): NewValue {
  const name = reader.take();
  reader.expect('(');
  const [first, second, ...more] = reader.list(() => termOf(readOperand(reader)));
  reader.expect(')');
  if (first === undefined || second === undefined || more.length > 0) {
    return refuse(`Incorrect number of operands for ${name}`);
  }
  if (name === 'list_append') return { kind: name, left: first, right: second };
  if (name !== 'if_not_exists') return refuse(`Invalid function in an update: ${name}`);
  if (first.kind !== 'path') return refuse(`The function requires a document path: ${name}`);
  return { kind: name, path: first, otherwise: second };
}

/** Sums and joined lists stand alone: neither is a part of something larger. */
const termOf = (value: NewValue): Term =>
  value.kind === 'path' || value.kind === 'value' || value.kind === 'if_not_exists'
    ? value
    : refuse(`The function is not allowed to be used this way in an expression: ${value.kind}`);
