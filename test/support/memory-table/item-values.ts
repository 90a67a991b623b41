import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { canonicalNumber, compareNumbers } from './decimal-numbers.ts';
import { refuse } from './refusals.ts';

/** An item as it lies in the table: marshalled, its numbers canonical, and never changed in place. */
export type Item = Readonly<Record<string, AttributeValue>>;

const attributeTypes = ['S', 'N', 'M', 'L', 'BOOL', 'NULL', 'SS', 'NS', 'B', 'BS'] as const;

export type AttributeType = (typeof attributeTypes)[number];

const typeNames: ReadonlySet<string> = new Set(attributeTypes);

export const isTypeName = (text: string): boolean => typeNames.has(text);

export const typeOf = (value: AttributeValue): AttributeType =>
  attributeTypes.find((type) => value[type] !== undefined) ??
  refuse('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');

export const toStoredItem = (item: Readonly<Record<string, AttributeValue>>): Item =>
  toStoredMembers(item);

/** A value with canonical numbers: equal numbers are equal texts from then on. */
export function toStored(value: AttributeValue): AttributeValue {
  if (value.N !== undefined) return { N: canonicalNumber(value.N) };
  if (value.M !== undefined) return { M: toStoredMembers(value.M) };
  if (value.L !== undefined) return { L: value.L.map(toStored) };
  if (value.NS !== undefined) return { NS: value.NS.map(canonicalNumber) };
  return value;
}

function toStoredMembers(
  members: Readonly<Record<string, AttributeValue>>,
): Record<string, AttributeValue> {
  const stored: Record<string, AttributeValue> = {};
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== undefined) stored[name] = toStored(value);
  }
  return stored;
}

/** A member of a map: not what every object inherits, such as `constructor`. */
export const memberOf = (
  members: Readonly<Record<string, AttributeValue>>,
  name: string,
): AttributeValue | undefined => (Object.hasOwn(members, name) ? members[name] : undefined);

export function areEqual(one: AttributeValue, other: AttributeValue): boolean {
  if (one.S !== undefined) return one.S === other.S;
  if (one.N !== undefined) return one.N === other.N;
  if (one.BOOL !== undefined) return one.BOOL === other.BOOL;
  if (one.NULL !== undefined) return one.NULL === other.NULL;
  if (one.B !== undefined) return other.B !== undefined && Buffer.compare(one.B, other.B) === 0;
  if (one.SS !== undefined) return haveSameMembers(one.SS, other.SS);
  if (one.NS !== undefined) return haveSameMembers(one.NS, other.NS);
  if (one.BS !== undefined) return haveSameMembers(one.BS.map(toHex), other.BS?.map(toHex));
  if (one.L !== undefined) return areEqualLists(one.L, other.L);
  return one.M !== undefined && areEqualMaps(one.M, other.M);
}

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const haveSameMembers = (one: readonly string[], other: readonly string[] | undefined): boolean =>
  other?.length === one.length && one.every((member) => other.includes(member));

const areEqualLists = (
  one: readonly AttributeValue[],
  other: readonly AttributeValue[] | undefined,
): boolean =>
  other?.length === one.length && one.every((value, index) => isEqual(value, other[index]));

function areEqualMaps(
  one: Readonly<Record<string, AttributeValue>>,
  other: Readonly<Record<string, AttributeValue>> | undefined,
): boolean {
  const entries = Object.entries(one);
  return (
    other !== undefined &&
    entries.length === Object.keys(other).length &&
    entries.every(([name, value]) => isEqual(value, memberOf(other, name)))
  );
}

const isEqual = (value: AttributeValue, other: AttributeValue | undefined): boolean =>
  other !== undefined && areEqual(value, other);

/** Negative when `one` comes first; `undefined` for values that have no order among each other. */
export function compareValues(one: AttributeValue, other: AttributeValue): number | undefined {
  if (one.S !== undefined && other.S !== undefined) return compareTexts(one.S, other.S);
  if (one.N !== undefined && other.N !== undefined) return compareNumbers(one.N, other.N);
  if (one.B !== undefined && other.B !== undefined) return Buffer.compare(one.B, other.B);
  return undefined;
}

const surrogate = /[\ud800-\udfff]/;

/** Orders texts by their UTF-8 bytes. JavaScript's order differs beyond the basic plane alone. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  if (surrogate.test(one) || surrogate.test(other)) {
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  return one < other ? -1 : 1;
}

/** What `size()` answers; `undefined` for a type without a size. */
export const sizeOf = (value: AttributeValue): number | undefined =>
  value.S?.length ??
  value.B?.byteLength ??
  (value.SS ?? value.NS ?? value.BS ?? value.L)?.length ??
  (value.M && Object.keys(value.M).length);

/** Whether a text or its part, a list or its element, a set or its member. */
export function contains(container: AttributeValue, value: AttributeValue): boolean {
  if (container.L !== undefined) return container.L.some((element) => areEqual(element, value));
  if (value.S !== undefined) return (container.S ?? container.SS)?.includes(value.S) ?? false;
  if (value.N !== undefined) return container.NS?.includes(value.N) ?? false;
  if (value.B === undefined) return false;
  if (container.B !== undefined) return Buffer.from(container.B).includes(Buffer.from(value.B));
  return container.BS?.map(toHex).includes(toHex(value.B)) ?? false;
}
