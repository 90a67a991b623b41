import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type {
  Between,
  Comparator,
  Comparison,
  Condition,
  FunctionCall,
  Operand,
} from './condition-expression.ts';
import { valueAt } from './documents.ts';
import {
  areEqual,
  compareValues,
  contains,
  type Item,
  isTypeName,
  sizeOf,
  typeOf,
} from './item-values.ts';
import { isSamePath, type Placeholders } from './placeholders.ts';
import { refuse } from './refusals.ts';

type Context = { readonly item: Item; readonly placeholders: Placeholders };

/**
 * Whether an item meets a condition. Every part is evaluated: a malformed part is refused even where
 * the others decide.
 *
 * @throws DynamoDBServiceException when an operator or function does not take such an operand.
 */
export function holds(condition: Condition, context: Context): boolean {
  switch (condition.kind) {
    case 'or':
      return [condition.left, condition.right].map((part) => holds(part, context)).includes(true);
    case 'and':
      return ![condition.left, condition.right].map((part) => holds(part, context)).includes(false);
    case 'not':
      return !holds(condition.condition, context);
    case 'comparison':
      return holdsComparison(condition, context);
    case 'between':
      return holdsBetween(condition, context);
    case 'in': {
      requireDistinct(condition.operand, condition.candidates, context);
      const value = evaluate(condition.operand, context);
      const candidates = condition.candidates.map((candidate) => evaluate(candidate, context));
      return candidates.some((candidate) => isSame(value, candidate));
    }
    case 'function':
      return holdsFunction(condition, context);
  }
}

const comparisons: Readonly<Record<Exclude<Comparator, '=' | '<>'>, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function holdsComparison({ comparator, left, right }: Comparison, context: Context): boolean {
  requireDistinct(left, [right], context);
  const value = evaluate(left, context);
  const other = evaluate(right, context);
  if (comparator === '=') return isSame(value, other);
  if (comparator === '<>') return !isSame(value, other);
  requireOrdered([left, right], context);
  const order = value && other && compareValues(value, other);
  return order !== undefined && comparisons[comparator](order);
}

function holdsBetween({ operand, lower, upper }: Between, context: Context): boolean {
  requireDistinct(operand, [lower, upper], context);
  requireOrdered([operand, lower, upper], context);
  const value = evaluate(operand, context);
  const least = evaluate(lower, context);
  const most = evaluate(upper, context);
  const range = least && most && compareValues(least, most);
  if (lower.kind === 'value' && upper.kind === 'value') {
    if (range === undefined) refuse('BETWEEN requires same data type for lower and upper bounds');
    else if (range > 0) refuse('BETWEEN requires upper bound to be at least the lower bound');
  }
  const fromLeast = value && least && compareValues(value, least);
  const fromMost = value && most && compareValues(value, most);
  return fromLeast !== undefined && fromMost !== undefined && fromLeast >= 0 && fromMost <= 0;
}

function holdsFunction({ name, operands }: FunctionCall, context: Context): boolean {
  const [first, second] = operands;
  if (first === undefined) return refuse(`Incorrect number of operands for ${name}`);
  const value = evaluate(first, context);
  if (name === 'attribute_exists' || name === 'attribute_not_exists') {
    if (first.kind !== 'path') refuse(`The function requires a document path: ${name}`);
    return (name === 'attribute_exists') === (value !== undefined);
  }
  if (second === undefined) return refuse(`Incorrect number of operands for ${name}`);
  requireDistinct(first, [second], context);
  const other = evaluate(second, context);
  switch (name) {
    case 'attribute_type': {
      const type = (second.kind === 'value' && other?.S) || refuse('attribute_type needs a type');
      if (!isTypeName(type)) refuse(`Invalid attribute type name found; type: ${type}`);
      return value !== undefined && typeOf(value) === type;
    }
    case 'begins_with':
      requireTypes([first, second], ['S', 'B'], context);
      return value !== undefined && other !== undefined && beginsWith(value, other);
    case 'contains':
      return value !== undefined && other !== undefined && contains(value, other);
  }
}

const beginsWith = (value: AttributeValue, start: AttributeValue): boolean =>
  value.S !== undefined && start.S !== undefined
    ? value.S.startsWith(start.S)
    : value.B !== undefined &&
      start.B !== undefined &&
      Buffer.compare(value.B.subarray(0, start.B.length), start.B) === 0;

const isSame = (one: AttributeValue | undefined, other: AttributeValue | undefined): boolean =>
  one !== undefined && other !== undefined && areEqual(one, other);

function evaluate(operand: Operand, context: Context): AttributeValue | undefined {
  switch (operand.kind) {
    case 'path':
      return valueAt(context.item, context.placeholders.pathOf(operand));
    case 'value':
      return context.placeholders.valueOf(operand.name);
    case 'size': {
      const value = evaluate(operand.of, context);
      const size = value && sizeOf(value);
      if (operand.of.kind !== 'path' && size === undefined) refuse('Incorrect operand of size');
      return size === undefined ? undefined : { N: String(size) };
    }
  }
}

/** Types that have an order. */
const requireOrdered = (operands: readonly Operand[], context: Context): void =>
  requireTypes(operands, ['S', 'N', 'B'], context);

/** Checks what the request itself says. An attribute of another type only fails the condition. */
function requireTypes(
  operands: readonly Operand[],
  types: readonly string[],
  context: Context,
): void {
  for (const operand of operands) {
    if (operand.kind === 'path') continue;
    const value = operand.kind === 'value' ? context.placeholders.valueOf(operand.name) : undefined;
    const type = value === undefined ? 'N' : typeOf(value);
    if (!types.includes(type)) refuse(`Incorrect operand type for operator or function: ${type}`);
  }
}

function requireDistinct(
  first: Operand,
  others: readonly Operand[],
  { placeholders }: Context,
): void {
  if (others.some((other) => isSamePath(first, other, placeholders))) {
    refuse('The first operand must be distinct from the remaining operands');
  }
}
