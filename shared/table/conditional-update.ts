import type { Key } from './keys.ts';
import type { StoredItem } from './table-client.ts';

/** What a clause says, with its own placeholders. */
type Said = {
  readonly text: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
};

/**
 * One clause of a condition, with what it compares. Named for what it says, so a write reads as a sentence.
 *
 * @param place tells its placeholders from those of other clauses.
 */
export type Clause = (place: string) => Said;

const compare =
  (operator: '=' | '<>' | '<' | '<=' | '>' | '>=') =>
  (name: string, value: unknown): Clause =>
  (place) => ({
    text: `#${place} ${operator} :${place}`,
    names: { [`#${place}`]: name },
    values: { [`:${place}`]: value },
  });

export const is = compare('=');
/** Also true of an attribute that isn't there. */
export const isNot = compare('<>');
export const isBelow = compare('<');
export const isAtMost = compare('<=');
export const isAbove = compare('>');
export const isAtLeast = compare('>=');

const called =
  (call: 'attribute_exists' | 'attribute_not_exists') =>
  (name: string): Clause =>
  (place) => ({ text: `${call}(#${place})`, names: { [`#${place}`]: name } });

export const isPresent = called('attribute_exists');
export const isAbsent = called('attribute_not_exists');

/** Of a list. */
export const hasAtMost =
  (name: string, entries: number): Clause =>
  (place) => ({
    text: `attribute_not_exists(#${place}[${entries}])`,
    names: { [`#${place}`]: name },
  });

/** The item itself. */
export const exists: Clause = isPresent('pk');
export const isNew: Clause = isAbsent('pk');

export const anyOf =
  (...clauses: readonly Clause[]): Clause =>
  (place) =>
    joined(clauses, 'OR', place);

export const allOf =
  (...clauses: readonly Clause[]): Clause =>
  (place) =>
    joined(clauses, 'AND', place);

/** These attributes are as in the item that was read, absent ones and empty lists (which aren't stored) included. */
export const isAsRead = (item: StoredItem, names: readonly string[]): readonly Clause[] =>
  names.map((name) => {
    const value = item[name];
    const isStored = value !== undefined && !(Array.isArray(value) && value.length === 0);
    return isStored ? is(name, value) : isAbsent(name);
  });

function joined(clauses: readonly Clause[], operator: 'AND' | 'OR', place: string): Said {
  const said = clauses.map((clause, index) => clause(`${place}_${index}`));
  const text = said.map((one) => one.text).join(` ${operator} `);
  return {
    text: operator === 'OR' && said.length > 1 ? `(${text})` : text,
    names: Object.assign({}, ...said.map(({ names }) => names)),
    values: Object.assign({}, ...said.map(({ values }) => values)),
  };
}

/** For a Put, a Delete or a ConditionCheck. If it fails, DynamoDB returns the item. */
export const onlyIf = (...clauses: readonly Clause[]) => {
  const { text, names, values } = joined(clauses, 'AND', 'if');
  return {
    ConditionExpression: text,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ...placeholders(names, values),
  };
};

export type Change = {
  readonly set?: StoredItem;
  /** Set only if they aren't there. */
  readonly setOnce?: StoredItem;
  /** Set, if they aren't there, to what the other attribute was before this change. */
  readonly copyOnce?: Readonly<Record<string, string>>;
  /** Numbers that are added to these, which start at 0. */
  readonly add?: Readonly<Record<string, number>>;
  /** Appended to lists, which may not exist yet. */
  readonly append?: Readonly<Record<string, readonly unknown[]>>;
  readonly remove?: readonly string[];
};

/**
 * An Update of one item. Without clauses it's unconditional, and creates an item that isn't there. The change must not
 * be empty. If the condition fails, DynamoDB returns the item.
 */
export function updateIf(Key: Key, change: Change, clauses: readonly Clause[]) {
  const { set = {}, setOnce = {}, copyOnce = {}, add = {}, append = {}, remove = [] } = change;
  const assignments = [
    ...Object.keys(set).map((name) => `#${name} = :${name}`),
    ...Object.keys(setOnce).map((name) => `#${name} = if_not_exists(#${name}, :${name})`),
    ...Object.entries(copyOnce).map(
      ([name, from]) => `#${name} = if_not_exists(#${name}, #${from})`,
    ),
    ...Object.keys(append).map(
      (name) => `#${name} = list_append(if_not_exists(#${name}, :none), :${name})`,
    ),
  ];
  const additions = Object.keys(add).map((name) => `#${name} :${name}`);
  const written = { ...set, ...setOnce, ...append, ...add };
  const { text, names, values } = joined(clauses, 'AND', 'if');
  return {
    Key,
    UpdateExpression: [
      ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
      ...(additions.length > 0 ? [`ADD ${additions.join(', ')}`] : []),
      ...(remove.length > 0 ? [`REMOVE ${remove.map((name) => `#${name}`).join(', ')}`] : []),
    ].join(' '),
    ...(clauses.length > 0 && {
      ConditionExpression: text,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    }),
    ...placeholders(
      {
        ...Object.fromEntries(
          [...Object.keys(written), ...Object.entries(copyOnce).flat(), ...remove].map((name) => [
            `#${name}`,
            name,
          ]),
        ),
        ...names,
      },
      {
        ...Object.fromEntries(Object.entries(written).map(([name, value]) => [`:${name}`, value])),
        ...(Object.keys(append).length > 0 && { ':none': [] }),
        ...values,
      },
    ),
  };
}

/** DynamoDB rejects empty ones. */
const placeholders = (names: Said['names'] = {}, values: Said['values'] = {}) => ({
  ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: { ...names } }),
  ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: { ...values } }),
});
