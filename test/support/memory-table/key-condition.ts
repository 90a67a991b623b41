import type { Comparator, Condition, Operand } from './condition-expression.ts';
import { compareTexts } from './item-values.ts';
import type { Placeholders } from './placeholders.ts';
import { refuse } from './refusals.ts';
import type { KeySchema } from './stored-items.ts';

/** What a query reads: a partition, and of it what has certain sort keys. */
export type KeyRange = {
  readonly partition: string;
  includes(sortKey: string): boolean;
  /** The least and the greatest sort key, where the condition names them. */
  readonly least?: string | undefined;
  readonly most?: string | undefined;
};

type Bound = {
  readonly attribute: string;
  includes(text: string): boolean;
  readonly equals?: string;
  readonly least?: string;
  readonly most?: string;
};

const mirrored: Readonly<Record<Comparator, Comparator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** @throws DynamoDBServiceException when the condition is no `partition = :value [AND sort …]`. */
export function rangeOf(
  condition: Condition,
  schema: KeySchema,
  placeholders: Placeholders,
): KeyRange {
  const parts = condition.kind === 'and' ? [condition.left, condition.right] : [condition];
  const bounds = parts.map((part) => boundOf(part, placeholders));
  const partition = bounds.find(({ attribute }) => attribute === schema.partitionKey)?.equals;
  const sort = bounds.find(({ attribute }) => attribute === schema.sortKey);
  if (partition === undefined) return refuse('Query condition missed key schema element');
  if (bounds.length === 2 && sort === undefined) return refuse('Query key condition not supported');
  return {
    partition,
    includes: (sortKey) => sort?.includes(sortKey) ?? true,
    least: sort?.least,
    most: sort?.most,
  };
}

function boundOf(condition: Condition, placeholders: Placeholders): Bound {
  switch (condition.kind) {
    case 'comparison': {
      const { left, right, comparator } = condition;
      return left.kind === 'path'
        ? comparisonBound(attributeOf(left, placeholders), comparator, textOf(right, placeholders))
        : comparisonBound(
            attributeOf(right, placeholders),
            mirrored[comparator],
            textOf(left, placeholders),
          );
    }
    case 'between': {
      const attribute = attributeOf(condition.operand, placeholders);
      const lower = textOf(condition.lower, placeholders);
      const upper = textOf(condition.upper, placeholders);
      if (compareTexts(lower, upper) > 0) refuse('The upper bound is less than the lower bound');
      const includes = (text: string) =>
        compareTexts(text, lower) >= 0 && compareTexts(text, upper) <= 0;
      return { attribute, includes, least: lower, most: upper };
    }
    case 'function': {
      const [path, start] = condition.operands;
      if (condition.name !== 'begins_with' || !path || !start) break;
      const prefix = textOf(start, placeholders);
      const includes = (text: string) => text.startsWith(prefix);
      return { attribute: attributeOf(path, placeholders), includes };
    }
  }
  return refuse(`Invalid operator used in KeyConditionExpression: ${condition.kind}`);
}

function comparisonBound(attribute: string, comparator: Comparator, value: string): Bound {
  switch (comparator) {
    case '=':
      return { attribute, includes: (text) => text === value, equals: value };
    case '<':
      return { attribute, includes: (text) => compareTexts(text, value) < 0 };
    case '<=':
      return { attribute, includes: (text) => compareTexts(text, value) <= 0, most: value };
    case '>':
      return { attribute, includes: (text) => compareTexts(text, value) > 0 };
    case '>=':
      return { attribute, includes: (text) => compareTexts(text, value) >= 0, least: value };
    case '<>':
      return refuse('Invalid operator used in KeyConditionExpression: <>');
  }
}

function attributeOf(operand: Operand, placeholders: Placeholders): string {
  if (operand.kind !== 'path') return refuse('KeyConditionExpressions need an attribute');
  const [attribute, ...deeper] = placeholders.pathOf(operand);
  return typeof attribute === 'string' && deeper.length === 0
    ? attribute
    : refuse('Key attributes must be scalars');
}

function textOf(operand: Operand, placeholders: Placeholders): string {
  if (operand.kind !== 'value') return refuse('KeyConditionExpressions need a value');
  return (
    placeholders.valueOf(operand.name).S || refuse('A key condition needs a text that is not empty')
  );
}
