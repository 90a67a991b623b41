import {
  type ExpressionReader,
  type Mentions,
  openReader,
  type Path,
  remember,
  type Value,
} from './expression-reader.ts';
import { refuse } from './refusals.ts';

/** The grammar of condition, filter and key condition expressions. */

export type Operand = Path | Value | { readonly kind: 'size'; readonly of: Operand };

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type ConditionFunction =
  | 'attribute_exists'
  | 'attribute_not_exists'
  | 'attribute_type'
  | 'begins_with'
  | 'contains';

export type Comparison = {
  readonly kind: 'comparison';
  readonly comparator: Comparator;
  readonly left: Operand;
  readonly right: Operand;
};

export type Between = {
  readonly kind: 'between';
  readonly operand: Operand;
  readonly lower: Operand;
  readonly upper: Operand;
};

export type FunctionCall = {
  readonly kind: 'function';
  readonly name: ConditionFunction;
  readonly operands: readonly Operand[];
};

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'in'; readonly operand: Operand; readonly candidates: readonly Operand[] }
  | Comparison
  | Between
  | FunctionCall;

export type ConditionExpression = { readonly condition: Condition; readonly mentions: Mentions };

/** @throws DynamoDBServiceException when the text is no condition. */
export const parseCondition = remember((text: string): ConditionExpression => {
  const reader = openReader(text);
  const condition = conditionOf(createParser(reader)());
  if (!reader.isDone()) refuse(`Syntax error; token: "${reader.take()}", near: "${text}"`);
  return { condition, mentions: reader.mentions };
});

type Node = Operand | Condition;

const comparators: Readonly<Record<string, Comparator>> = {
  '=': '=',
  '<>': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

const functions: Readonly<Record<ConditionFunction, number>> = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
};

const isFunction = (name: string): name is ConditionFunction => Object.hasOwn(functions, name);

/** Operands may stand in parentheses as conditions do, so both are read alike and told apart later. */
function createParser(reader: ExpressionReader): () => Node {
  let lastGroup: Node | undefined;

  function either(): Node {
    let left = both();
    while (reader.accept('OR')) {
      left = { kind: 'or', left: conditionOf(left), right: conditionOf(both()) };
    }
    return left;
  }

  function both(): Node {
    let left = negation();
    while (reader.accept('AND')) {
      left = { kind: 'and', left: conditionOf(left), right: conditionOf(negation()) };
    }
    return left;
  }

  const negation = (): Node =>
    reader.accept('NOT') ? { kind: 'not', condition: conditionOf(negation()) } : comparison();

  function comparison(): Node {
    const left = primary();
    if (reader.accept('BETWEEN')) {
      const lower = operand();
      reader.expect('AND');
      return { kind: 'between', operand: operandOf(left), lower, upper: operand() };
    }
    if (reader.accept('IN')) {
      reader.expect('(');
      const candidates = reader.list(operand);
      reader.expect(')');
      return { kind: 'in', operand: operandOf(left), candidates };
    }
    for (const [symbol, comparator] of Object.entries(comparators)) {
      if (reader.accept(symbol)) {
        return { kind: 'comparison', comparator, left: operandOf(left), right: operand() };
      }
    }
    return left;
  }

  const operand = (): Operand => operandOf(primary());

  function primary(): Node {
    if (reader.accept('(')) return group();
    if (reader.isValueNext()) return reader.value();
    return reader.isCallNext() ? call() : reader.path();
  }

  function group(): Node {
    const inner = either();
    reader.expect(')');
    if (inner === lastGroup) refuse('The expression has redundant parentheses');
    lastGroup = inner;
    return inner;
  }

  function call(): Node {
    const name = reader.take();
    reader.expect('(');
    const operands = reader.list(operand);
    reader.expect(')');
    const [first] = operands;
    if (name === 'size' && operands.length === 1 && first) return { kind: 'size', of: first };
    if (!isFunction(name)) return refuse(`Invalid function name or use; function: ${name}`);
    if (operands.length !== functions[name]) refuse(`Incorrect number of operands for ${name}`);
    return { kind: 'function', name, operands };
  }

  return either;
}

const isOperand = (node: Node): node is Operand =>
  node.kind === 'path' || node.kind === 'value' || node.kind === 'size';

const operandOf = (node: Node): Operand =>
  isOperand(node) ? node : refuse(`A condition stands where an operand is wanted: ${node.kind}`);

const conditionOf = (node: Node): Condition =>
  isOperand(node) ? refuse(`An operand stands where a condition is wanted: ${node.kind}`) : node;
