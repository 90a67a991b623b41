import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { add, subtract } from './decimal-numbers.ts';
import { type Change, changeItem, requireApart, valueAt } from './documents.ts';
import { type Item, toHex, typeOf } from './item-values.ts';
import { type DocumentPath, isSamePath, type Placeholders } from './placeholders.ts';
import { refuse } from './refusals.ts';
import type { NewValue, Term, UpdateAction } from './update-expression.ts';

type Context = { readonly item: Item; readonly placeholders: Placeholders };

export type UpdatedItem = { readonly item: Item; readonly paths: readonly DocumentPath[] };

/**
 * Checks what the request itself says, whatever the item is.
 *
 * @throws DynamoDBServiceException when paths overlap, or a value is of a type that the action does not
 *   take.
 */
export function checkUpdate(actions: readonly UpdateAction[], placeholders: Placeholders): void {
  requireApart(actions.map(({ path }) => placeholders.pathOf(path)));
  for (const action of actions) {
    if (action.kind === 'SET') checkOperands(action.value, placeholders);
    else if (action.kind === 'ADD') requireType(action.value, addable, placeholders);
    else if (action.kind === 'DELETE') requireType(action.value, sets, placeholders);
  }
}

const sets = ['SS', 'NS', 'BS'];
const addable = ['N', ...sets];

function checkOperands(value: NewValue, placeholders: Placeholders): void {
  if (value.kind === 'if_not_exists') {
    const { path, otherwise } = value;
    if (isSamePath(path, otherwise, placeholders)) refuse('The operands must be distinct');
    checkOperands(otherwise, placeholders);
  }
  if (!('left' in value)) return;
  for (const operand of [value.left, value.right]) checkOperands(operand, placeholders);
  const types = value.kind === 'list_append' ? ['L'] : ['N'];
  for (const operand of [value.left, value.right]) requireType(operand, types, placeholders);
}

function requireType(operand: Term, types: readonly string[], placeholders: Placeholders): void {
  if (operand.kind !== 'value') return;
  const type = typeOf(placeholders.valueOf(operand.name));
  if (!types.includes(type)) refuse(`Incorrect operand type for operator or function: ${type}`);
}

/**
 * Makes an update. Every operand is read from the item as it was before.
 *
 * @throws DynamoDBServiceException when an operand is missing or of a wrong type, or a path is wrong.
 */
export function applyUpdate(actions: readonly UpdateAction[], context: Context): UpdatedItem {
  const changes = actions.map((action) => changeOf(action, context));
  return {
    item: changeItem(context.item, changes),
    paths: changes.map(({ path }) => path),
  };
}

function changeOf(action: UpdateAction, context: Context): Change {
  const path = context.placeholders.pathOf(action.path);
  switch (action.kind) {
    case 'SET':
      return { path, value: evaluate(action.value, context) };
    case 'REMOVE':
      return { path, value: undefined };
    case 'ADD': {
      const value = context.placeholders.valueOf(action.value.name);
      return { path, value: addTo(valueAt(context.item, path), value) };
    }
    case 'DELETE': {
      const value = context.placeholders.valueOf(action.value.name);
      return { path, value: takeFrom(valueAt(context.item, path), value) };
    }
  }
}

function evaluate(value: NewValue, context: Context): AttributeValue {
  const { item, placeholders } = context;
  switch (value.kind) {
    case 'value':
      return placeholders.valueOf(value.name);
    case 'path':
      return (
        valueAt(item, placeholders.pathOf(value)) ??
        refuse('The provided expression refers to an attribute that does not exist in the item')
      );
    case 'if_not_exists': {
      // DynamoDB evaluates both: the other operand must exist even when it is not needed.
      const otherwise = evaluate(value.otherwise, context);
      return valueAt(item, placeholders.pathOf(value.path)) ?? otherwise;
    }
    case 'list_append': {
      const left = evaluate(value.left, context).L ?? refuseType();
      return { L: [...left, ...(evaluate(value.right, context).L ?? refuseType())] };
    }
    case '+':
    case '-': {
      const left = evaluate(value.left, context).N ?? refuseType();
      const right = evaluate(value.right, context).N ?? refuseType();
      return { N: value.kind === '+' ? add(left, right) : subtract(left, right) };
    }
  }
}

function addTo(value: AttributeValue | undefined, addend: AttributeValue): AttributeValue {
  if (addend.N !== undefined) {
    return value === undefined ? addend : { N: add(value.N ?? refuseType(), addend.N) };
  }
  if (addend.SS) return { SS: union(value ? (value.SS ?? refuseType()) : [], addend.SS) };
  if (addend.NS) return { NS: union(value ? (value.NS ?? refuseType()) : [], addend.NS) };
  if (addend.BS) return { BS: unionOfBytes(value ? (value.BS ?? refuseType()) : [], addend.BS) };
  return refuseType();
}

/** A set without some members. An empty set is no value: the attribute goes. */
function takeFrom(
  value: AttributeValue | undefined,
  taken: AttributeValue,
): AttributeValue | undefined {
  if (!taken.SS && !taken.NS && !taken.BS) return refuseType();
  if (value === undefined) return undefined;
  if (taken.SS) return setOf('SS', without(value.SS ?? refuseType(), taken.SS));
  if (taken.NS) return setOf('NS', without(value.NS ?? refuseType(), taken.NS));
  const gone = new Set(taken.BS.map(toHex));
  const left = (value.BS ?? refuseType()).filter((bytes) => !gone.has(toHex(bytes)));
  return left.length === 0 ? undefined : { BS: left };
}

function setOf(type: 'SS' | 'NS', members: string[]): AttributeValue | undefined {
  if (members.length === 0) return undefined;
  return type === 'SS' ? { SS: members } : { NS: members };
}

const union = (members: readonly string[], others: readonly string[]): string[] => [
  ...new Set([...members, ...others]),
];

const without = (members: readonly string[], others: readonly string[]): string[] =>
  members.filter((member) => !others.includes(member));

const unionOfBytes = (
  members: readonly Uint8Array[],
  others: readonly Uint8Array[],
): Uint8Array[] => [
  ...new Map([...members, ...others].map((bytes) => [toHex(bytes), bytes])).values(),
];

const refuseType = () => refuse('An operand in the update expression has an incorrect data type');
